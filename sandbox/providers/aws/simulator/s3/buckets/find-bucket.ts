import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import { type Call, refuse } from '../../service.ts'
import { endpointOf, hostAddress } from '../access/address.ts'
import { wrongRegion } from '../objects/bodies/unwrap.ts'
import type { Bucket, S3State } from '../state.ts'
import { sweep } from './lifecycle-sweep.ts'

export type S3Call = Call<S3State>

/** Returns a bucket of any account, with its owner. */
export const bucketAnywhere = (
  name: string,
  { state, principal, everywhere }: S3Call,
): { readonly bucket: Bucket; readonly owner: string } | undefined => {
  const own = state.buckets.find(bucket => bucket.name === name)
  if (own) return { bucket: own, owner: principal.accountId }
  for (const [owner, { buckets }] of everywhere()) {
    const bucket = buckets.find(candidate => candidate.name === name)
    if (bucket) return { bucket, owner }
  }
  return undefined
}

const noSuchBucket = (name: string) =>
  refuse('NoSuchBucket', 'The specified bucket does not exist', {
    status: 404,
    members: { BucketName: name },
  })

export const accessDenied = (message = 'Access Denied') => refuse('AccessDenied', message, { status: 403 })

/** The endpoint must be in the bucket's region. */
const checkRegion = (bucket: Bucket, { region, request }: S3Call): void => {
  if (bucket.region === region) return
  const host = hostAddress(request)
  if (host.region === 'global' && host.bucket !== undefined) throw wrongRegion(region, bucket.region)
  throw refuse(
    'PermanentRedirect',
    'The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.',
    {
      status: 301,
      members: { Endpoint: endpointOf(bucket.name, bucket.region), Bucket: bucket.name },
      headers: { 'x-amz-bucket-region': bucket.region },
    },
  )
}

export interface BucketInput {
  readonly Bucket?: string | undefined
  readonly ExpectedBucketOwner?: string | undefined
}

/**
 * Returns the bucket of a request after applying the lifecycle actions that are due.
 *
 * @throws AwsError NoSuchBucket, PermanentRedirect, AuthorizationHeaderMalformed or AccessDenied
 */
export const findBucket = (input: BucketInput, call: S3Call): Bucket => {
  const name = input.Bucket ?? ''
  const found = bucketAnywhere(name, call)
  if (!found || call.isHidden?.('buckets', name)) throw noSuchBucket(name)
  checkRegion(found.bucket, call)
  if (found.owner !== call.principal.accountId && !call.shared) throw accessDenied()
  if (input.ExpectedBucketOwner !== undefined && input.ExpectedBucketOwner !== found.owner)
    throw accessDenied()
  sweep(found.bucket, call.clock.now(), versionId(call))
  return found.bucket
}

/** Returns a function that creates version ids of 32 letters. */
export const versionId =
  ({ newId }: Pick<S3Call, 'newId'>) =>
  (): string =>
    newId(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._')

/** HTTP dates have a resolution of seconds. */
export const wholeSeconds = (time: Timestamp): Date => new Date(Math.floor(time / 1000) * 1000)
