import { type DeletionSettings, deletionSettings } from './s3/backup.ts'

/** How the objects of a bucket are deleted. */
export const backupBucketSettings = deletionSettings
export type BackupBucketSettings = DeletionSettings
