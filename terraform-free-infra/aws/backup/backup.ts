/** What functions need of the buckets for backups. */
export { type BucketOutcome, reconcileBucket } from './apply-bucket.ts'
export type { Bucket, VersionLock } from './bucket.ts'
export { unlessBucketMissing } from './bucket-error.ts'
export { bucketNameProblems } from './bucket-name.ts'
export { backupBucketConfigSchema, type DecodedConfig, decodeBackupBucketConfig } from './config.ts'
export {
  type DeletionProgress,
  noProgress,
  percentOf,
  progressOf,
  progressPatch,
} from './deletion-progress.ts'
export { type DeletionSettings, deletionSettings } from './deletion-settings.ts'
export { growingWait, lockedWait } from './deletion-waits.ts'
export type { DesiredBucket } from './desired-bucket.ts'
export { type ObservedBucket, observeBucket } from './observe-bucket.ts'
export { type BucketAction, planBucket } from './plan-bucket.ts'
export { regionProblems } from './region.ts'
export { type BucketRemoval, type Locks, removeBucket } from './remove-bucket.ts'
export { type PrefixRemoval, removePrefix } from './remove-prefix.ts'
export { sdkBucket } from './sdk-bucket.ts'
