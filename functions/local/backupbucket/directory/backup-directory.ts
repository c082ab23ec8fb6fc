/**
 * Backups in directories of a mounted volume: one for each bucket, and in it one for what each shoot has there. Nothing is
 * removed but what is proved to be a bucket's or an entry's.
 */

export { keepBucketDirectory, removeBucketDirectory } from './bucket-directory.ts'
export { removeEntryDirectory } from './entry-directory.ts'
export { directoryNameProblem } from './path-below.ts'
export { type BackupDirectorySettings, backupDirectorySettings } from './settings.ts'
export type { DirectoryStep } from './step.ts'
