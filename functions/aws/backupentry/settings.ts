import { type DeletionSettings, deletionSettings } from '../../../terraform-free-infra/aws/backup/backup.ts'

/** How the objects of an entry are deleted. */
export const backupEntrySettings = deletionSettings
export type BackupEntrySettings = DeletionSettings
