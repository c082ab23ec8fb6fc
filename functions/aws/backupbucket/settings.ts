import { type DeletionSettings, deletionSettings } from './s3/backup.ts'

/** Settings for the deletion of the objects of a bucket. */
export const backupBucketSettings = deletionSettings
export type BackupBucketSettings = DeletionSettings
