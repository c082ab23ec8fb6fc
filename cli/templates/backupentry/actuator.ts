import { backupEntryFlow } from '../../../shared/backup-entry/backup-entry.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'

/**
 * Ensures the Secret `etcd-backup` in the shoot's namespace (by the flow), and finally deletes the shoot's objects in
 * the bucket.
 */
export const backupEntryActuator: Actuator<BackupEntry> = backupEntryFlow({
  // TODO: the data that etcd-backup-restore needs beside the credentials and `bucketName`.
  addedData: ({ object }) => ({ region: object.spec.region }),
  removeObjects: async ({ object, log, throwIfExpired }, prefix) => {
    // TODO: delete the objects of the bucket that begin with the prefix, and no others. If they do not fit into one
    // step: continueAfter(0, 50, 'Deleting the backups').
    throwIfExpired()
    log.info('backups would be deleted here', { bucket: object.spec.bucketName, prefix })
    return done()
  },
})
