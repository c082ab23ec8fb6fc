import * as z from 'zod'
import { backupDirectorySettings } from '../backupbucket/directory/backup-directory.ts'

/** The directories of backups, for this function and for etcd (docs/contract/provider-local.md#backups). */
export const backupEntrySettings = backupDirectorySettings.extend({
  backupHostPath: z
    .string()
    .regex(/^\/./, 'expected an absolute path')
    .default('/etc/gardener/local-backupbuckets')
    .meta({ description: 'Path on the etcd nodes of the directories of buckets.' }),
})
export type LocalBackupEntrySettings = Readonly<z.infer<typeof backupEntrySettings>>
