/**
 * Backups in directories of a mounted volume: one directory per bucket, with one directory per shoot inside. Only
 * directories that provably belong to a bucket or an entry are removed.
 */

export { ensureBucketDirectory, removeBucketDirectory } from './bucket-directory.ts'
export { removeEntryDirectory } from './entry-directory.ts'
export { directoryNameProblem } from './path-below.ts'
export { type BackupDirectorySettings, backupDirectorySettings } from './settings.ts'
