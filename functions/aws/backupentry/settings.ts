import { type DeletionSettings, deletionSettings } from '../backupbucket/s3/backup.ts'

export const backupEntrySettings = deletionSettings
export type BackupEntrySettings = DeletionSettings
