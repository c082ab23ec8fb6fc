import * as z from 'zod'

/**
 * Backups in directories of a mounted volume: one directory per bucket, with one directory per shoot inside. Only
 * directories that provably belong to a bucket or an entry are removed.
 */

export { ensureBucketDirectory, removeBucketDirectory } from './bucket-directory.ts'
export { removeEntryDirectory } from './entry-directory.ts'
export { directoryNameProblem } from './path-below.ts'

/** The location of the bucket directories. Several functions have this setting. */
export const backupDirectorySettings = z.object({
  backupDirectory: z
    .string()
    .regex(/^(\/.*)?$/, 'expected an absolute path, or nothing')
    .default('')
    .meta({
      description:
        'Absolute path of a mounted volume with a directory for each bucket. Empty: no directories, only Secrets.',
    }),
})
export type BackupDirectorySettings = Readonly<z.infer<typeof backupDirectorySettings>>
