/**
 * What can be wrong with a BackupBucketConfig, whoever asks: the BackupBucket before it acts, and admission before the config is
 * stored. Pure; loads nothing that reaches AWS.
 */
export type { BucketRetention } from './bucket/bucket.ts'
export { decodeBackupBucketConfig } from './bucket/config.ts'
export { retentionChangeProblems } from './bucket/retention-change-problems.ts'
