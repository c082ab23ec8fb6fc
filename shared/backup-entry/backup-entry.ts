import type { BackupEntry } from '../contract/objects.ts'
import { type Actuator, done, type StepContext, type StepResult } from '../lifecycle/lifecycle.ts'
import { parseEntryName } from './entry-name.ts'
import { keepEtcdSecret, removeEtcdSecret } from './etcd-secret.ts'

export { parseEntryName } from './entry-name.ts'
export { backupEntryPermissions } from './permissions.ts'

/** What of a BackupEntry is a provider's business. */
export interface BackupEntryProvider {
  /**
   * What etcd's backups need to know beside the credentials and the bucket's name, as text by the key of the Secret: a
   * region, a role.
   */
  readonly addedData: (
    step: StepContext<BackupEntry>,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Deletes the shoot's objects: all that begin with the prefix, which ends with `/`. */
  readonly removeObjects: (step: StepContext<BackupEntry>, prefix: string) => Promise<StepResult>
}

/**
 * The part of a BackupEntry that is the same with every provider (docs/contract/kinds.md#backupentry): restoring is
 * reconciling, and migrating leaves everything where it is.
 *
 * @example
 * const actuator = backupEntryFlow({
 *   addedData: ({ object }) => ({ region: object.spec.region }),
 *   removeObjects: async ({ object, signal }, prefix) => {
 *     await deleteAll(object.spec.bucketName, prefix, signal)
 *     return done()
 *   },
 * })
 */
export const backupEntryFlow = ({
  addedData,
  removeObjects,
}: BackupEntryProvider): Pick<Actuator<BackupEntry>, 'reconcile' | 'remove'> => ({
  reconcile: async step => {
    const { object, log } = step
    const outcome = await keepEtcdSecret(step, {
      bucketName: object.spec.bucketName,
      ...(await addedData(step)),
    })
    if (outcome !== 'same') log.info('secret of etcd-backup-restore', { outcome })
    return done()
  },
  remove: async step => {
    await removeEtcdSecret(step)
    return removeObjects(step, parseEntryName(step.object.metadata.name).prefix)
  },
})
