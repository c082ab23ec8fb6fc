/**
 * Buckets for backups in S3. `createOpenBucket` returns the bucket of one object, and its calls reach no other bucket.
 * `reconcileBucket`, `removeBucket` and `removePrefix` are one step each.
 */

export { unlessBucketMissing, unlessNotOurs } from './bucket/bucket-error.ts'
export { bucketNameProblems } from './bucket/bucket-name.ts'
export { decodeBackupBucketConfig } from './bucket/config.ts'
export { confirmMissing, type DoubtfulAbsence, doubtfulResult } from './bucket/confirm-missing.ts'
export type { DesiredBucket } from './bucket/desired-bucket.ts'
export { observeBucket } from './bucket/observe-bucket.ts'
export { type BucketAction, planBucket } from './bucket/plan-bucket.ts'
export { reconcileBucket } from './bucket/reconcile-bucket.ts'
export { type BucketMemory, bucketMemoryOf, mayBeOurs, memoryPatch } from './bucket-memory.ts'
export { type DeletionPace, s3Service, usualPace } from './deletion/deletion-pace.ts'
export { percentOf, progressOf, progressPatch } from './deletion/deletion-progress.ts'
export { growingWait, lockedWait } from './deletion/deletion-waits.ts'
export { type BucketRemoval, type Locks, removeBucket } from './deletion/remove-bucket.ts'
export { removePrefix } from './deletion/remove-prefix.ts'
export { type BackupOptions, type BucketRequest, createOpenBucket, type OpenBucket } from './open-bucket.ts'
export { checkSecret, regionProblems, roleArnOf } from './secret.ts'

// For the suites of other rooms.

export { BucketElsewhereError, ForeignBucketError } from './bucket/bucket-error.ts'
