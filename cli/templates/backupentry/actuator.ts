import { backupEntryFlow } from '../../../shared/backup-entry/backup-entry.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'

/**
 * The flow ensures the Secret `etcd-backup` in the shoot's namespace. When the BackupEntry is deleted, `removeObjects`
 * deletes the shoot's backups from the bucket.
 */
export const backupEntryActuator: Actuator<BackupEntry> = backupEntryFlow({
  // TODO: Add the data that etcd-backup-restore needs in addition to the credentials and `bucketName`.
  addedData: ({ object }) => ({ region: object.spec.region }),
  removeObjects: async ({ object, log, throwIfExpired }, prefix) => {
    // TODO: Delete exactly the objects with this prefix. If one step is too short, return continueAfter(0, 50,
    // 'Deleting the backups').
    throwIfExpired()
    log.info('backups would be deleted here', { bucket: object.spec.bucketName, prefix })
    return done()
  },
})
