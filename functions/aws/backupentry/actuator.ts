import { backupEntryFlow } from '../../../shared/backup-entry/backup-entry.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import type { Actuator } from '../../../shared/lifecycle/lifecycle.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { type BackupOptions, createOpenBucket } from '../backupbucket/s3/backup.ts'
import { addedData } from './added-data.ts'
import { checkBackupEntry } from './check.ts'
import { removeEntryObjects } from './remove-objects.ts'
import type { BackupEntrySettings } from './settings.ts'

/**
 * Reconciles BackupEntries of type `aws` (docs/contract/kinds.md#backupentry): the Secret for the etcd backups of a
 * shoot. A deletion also deletes the shoot's objects in the bucket.
 */
export const backupEntryActuator = ({
  settings,
  ...deps
}: BackupOptions & { readonly settings: BackupEntrySettings }): Actuator<BackupEntry> => {
  const open = createOpenBucket(deps)
  return {
    check: checkBackupEntry,
    ...backupEntryFlow({
      addedData,
      removeObjects: async (step, prefix) => {
        try {
          return await removeEntryObjects(open, settings, step, prefix)
        } catch (error) {
          throw withCodes(error)
        }
      },
    }),
  }
}
