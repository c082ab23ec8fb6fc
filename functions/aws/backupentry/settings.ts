import { type DeletionSettings, deletionSettings } from '../backupbucket/s3/backup.ts'

/** Settings for the deletion of the objects of an entry. */
export const backupEntrySettings = deletionSettings
export type BackupEntrySettings = DeletionSettings
