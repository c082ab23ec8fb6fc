import { type DeletionSettings, deletionSettings } from '../backupbucket/s3/backup.ts'

/** How the objects of an entry are deleted. */
export const backupEntrySettings = deletionSettings
export type BackupEntrySettings = DeletionSettings
