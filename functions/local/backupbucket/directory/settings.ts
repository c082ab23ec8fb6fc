import * as z from 'zod'

/** The location of the bucket directories. Several functions have this setting. */
export const backupDirectorySettings = z.object({
  backupDirectory: z
    .string()
    .regex(/^(\/.*)?$/, 'expected an absolute path, or nothing')
    .default('')
    .meta({
      description:
        'Where a volume is mounted that has a directory for each bucket, as an absolute path. Empty: there are no directories, only Secrets.',
    }),
})
export type BackupDirectorySettings = Readonly<z.infer<typeof backupDirectorySettings>>
