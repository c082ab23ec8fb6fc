/**
 * Validation of a BackupBucketConfig, for the BackupBucket before it acts, and for admission before the config is
 * stored. Pure; loads no code that connects to AWS.
 */
export type { BucketRetention } from './bucket/bucket.ts'
export { backupBucketConfigSchema, decodeBackupBucketConfig } from './bucket/config.ts'
export { retentionChangeProblems } from './bucket/retention-change-problems.ts'
