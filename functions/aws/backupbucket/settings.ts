import { type DeletionSettings, deletionSettings } from './s3/backup.ts'

export const backupBucketSettings = deletionSettings
export type BackupBucketSettings = DeletionSettings
