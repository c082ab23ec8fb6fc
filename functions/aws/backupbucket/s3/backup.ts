/**
 * Buckets for backups in S3. `createOpenBucket` gives the bucket of one object, whose calls nothing else can reach;
 * `reconcileBucket`, `removeBucket` and `removePrefix` are one step each.
 */

// Reaching a bucket.

export { type BackupOptions, type BucketRequest, createOpenBucket, type OpenBucket } from './open-bucket.ts'
export { checkSecret, roleArnOf } from './secret.ts'

// What is desired, and what is wrong with it.

export { bucketNameProblems } from './bucket/bucket-name.ts'
export { decodeBackupBucketConfig } from './bucket/config.ts'
export type { DesiredBucket } from './bucket/desired-bucket.ts'
export { regionProblems } from './region.ts'

// A bucket as it is desired, and the plan of it.

export { unlessBucketMissing, unlessNotOurs } from './bucket/bucket-error.ts'
export { observeBucket } from './bucket/observe-bucket.ts'
export { type BucketAction, planBucket } from './bucket/plan-bucket.ts'
export { reconcileBucket } from './bucket/reconcile-bucket.ts'

// A bucket, or the objects of one shoot, that are gone; how far that has come, in `status.state`.

export {
  isOwned,
  ownershipState,
  percentOf,
  progressOf,
  progressPatch,
} from './deletion/deletion-progress.ts'
export { type DeletionSettings, deletionSettings } from './deletion/deletion-settings.ts'
export { growingWait, lockedWait } from './deletion/deletion-waits.ts'
export { type BucketRemoval, type Locks, removeBucket } from './deletion/remove-bucket.ts'
export { removePrefix } from './deletion/remove-prefix.ts'

// For the suites of other rooms, and benchmarks.

export { BucketElsewhereError, ForeignBucketError } from './bucket/bucket-error.ts'
