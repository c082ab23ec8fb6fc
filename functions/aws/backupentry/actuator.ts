import { backupEntryFlow } from '../../../shared/backup-entry/backup-entry.ts'
import type { BackupEntry } from '../../../shared/contract/schemas/backup-entry.ts'
import type { Actuator } from '../../../shared/lifecycle/actuator.ts'
import { withCodes } from '../../../terraform-free-infra/aws/errors/with-codes.ts'
import { addedData } from './added-data.ts'
import { checkBackupEntry } from './check.ts'
import { type ConnectDeps, createConnect } from './connect.ts'
import { removeEntryObjects } from './remove-objects.ts'
import type { BackupEntrySettings } from './settings.ts'

/**
 * BackupEntries of type `aws` (docs/contract/kinds.md#backupentry): the Secret for the backups of a shoot's etcd, and in
 * the end its objects in the bucket.
 */
export const backupEntryActuator = ({
  settings,
  ...deps
}: ConnectDeps & { readonly settings: BackupEntrySettings }): Actuator<BackupEntry> => {
  const connect = createConnect(deps)
  return {
    check: checkBackupEntry,
    ...backupEntryFlow({
      addedData,
      removeObjects: async (step, prefix) => {
        try {
          return await removeEntryObjects(connect, settings, step, prefix)
        } catch (error) {
          throw withCodes(error)
        }
      },
    }),
  }
}
