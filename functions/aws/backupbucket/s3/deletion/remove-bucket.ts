import type { Clock, Timestamp } from '../../../../../shared/clock/clock.ts'
import { AwsError } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { S3Bucket, VersionLock } from '../bucket/bucket.ts'
import { isMissingBucket, isOthersBucket } from '../bucket/bucket-error.ts'
import { deleteVersions } from './delete-versions.ts'
import type { DeletionProgress, LockedVersions } from './deletion-progress.ts'

export interface RemoveBucketInput {
  readonly bucket: S3Bucket
  /**
   * True if the bucket belonged to this object. If it is now in another region or account, spec or credentials are
   * wrong.
   */
  readonly wasOurs: boolean
  readonly progress: DeletionProgress
  readonly parallel: number
  readonly timeMs: number
  readonly clock: Clock
}

/**
 * - `gone`: this call has deleted the bucket.
 * - `missing`: S3 does not find the bucket, which proves little (`confirmMissing`).
 * - `not-ours`: the bucket of that name is in another region or account; nothing was done.
 * - `deleting`: some objects are left. `why`: the time was over, S3 throttles requests, or new objects were written.
 * - `locked`: all remaining objects are locked.
 */
export type BucketRemoval =
  | { readonly kind: 'gone' | 'missing' }
  | { readonly kind: 'not-ours'; readonly why: string }
  | {
      readonly kind: 'deleting'
      readonly progress: DeletionProgress
      readonly why: 'out-of-time' | 'held-back' | 'not-empty'
    }
  | { readonly kind: 'locked'; readonly progress: DeletionProgress; readonly locks: Locks }

export interface Locks {
  readonly count: number
  /** The locks of the oldest and the newest version. With one retention for all, these end first and last. */
  readonly oldest: VersionLock
  readonly newest: VersionLock
}

export const removeBucket = async (input: RemoveBucketInput): Promise<BucketRemoval> => {
  try {
    return await tryRemoval(input)
  } catch (error) {
    if (isOthersBucket(error) && !input.wasOurs) return { kind: 'not-ours', why: error.message }
    if (isMissingBucket(error)) return { kind: 'missing' }
    throw error
  }
}

const tryRemoval = async (input: RemoveBucketInput): Promise<BucketRemoval> => {
  const { bucket, clock } = input
  // In the middle of a pass there are still objects.
  if (input.progress.after === undefined && (await isRemoved(bucket))) return { kind: 'gone' }
  // An empty bucket can be deleted safely. Before objects are deleted, this account must own the bucket.
  await bucket.getPolicy()
  const { end, progress } = await deleteVersions({ ...input, prefix: '' })
  if (end !== 'finished') return { kind: 'deleting', progress, why: end }
  const next: DeletionProgress = { deleted: progress.deleted }
  if (progress.locked !== undefined)
    return { kind: 'locked', progress: next, locks: await locksOf(bucket, progress.locked, clock.now()) }
  // Objects written meanwhile are left to a later pass, because a client still writes.
  return (await isRemoved(bucket)) ? { kind: 'gone' } : { kind: 'deleting', progress: next, why: 'not-empty' }
}

const isRemoved = async (bucket: S3Bucket): Promise<boolean> => {
  try {
    await bucket.remove()
    return true
  } catch (error) {
    if (error instanceof AwsError && error.code === 'BucketNotEmpty') return false
    throw error
  }
}

const locksOf = async (
  bucket: S3Bucket,
  { count, oldest, newest }: LockedVersions,
  now: Timestamp,
): Promise<Locks> => {
  const first = await bucket.lockOf(oldest, now)
  const isSame = oldest.key === newest.key && oldest.versionId === newest.versionId
  return { count, oldest: first, newest: isSame ? first : await bucket.lockOf(newest, now) }
}
