import type { Clock } from '../../../../../shared/clock/clock.ts'
import type { AccountStore } from '../accounts/account.ts'
import { newBucket } from './buckets/buckets.ts'
import { s3Model } from './service.ts'
import { emptyState, type S3State } from './state.ts'

type BucketAccount = Pick<AccountStore, 'state'>

const stateOf = (account: BucketAccount): S3State =>
  account.state({ model: s3Model, scope: 'global', createState: emptyState }, 'us-east-1')

/**
 * Adds an empty bucket to an account without a call, so the call log stays empty. An existing bucket is not changed.
 *
 * @example addBucket(aws.account(), { name: 'backups', region: 'eu-west-1' }, clock)
 */
export const addBucket = (
  account: BucketAccount,
  { name, region }: { readonly name: string; readonly region: string },
  clock: Clock,
): void => {
  const state = stateOf(account)
  if (state.buckets.some(bucket => bucket.name === name)) return
  state.buckets = [...state.buckets, newBucket({ name, region, createdAt: clock.now() })]
}

/** Returns the names of an account's buckets without a call. */
export const bucketNames = (account: BucketAccount): readonly string[] =>
  stateOf(account).buckets.map(({ name }) => name)
