import { type DeletionSettings, deletionSettings } from '../../../terraform-free-infra/aws/backup/backup.ts'

/** How the objects of a bucket are deleted. */
export const backupBucketSettings = deletionSettings
export type BackupBucketSettings = DeletionSettings
