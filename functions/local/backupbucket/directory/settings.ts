import * as z from 'zod'

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
