import type { BackupEntry } from '../contract/objects.ts'
import { namespaces, secrets } from '../kubernetes/core-resources.ts'
import type { Permission } from '../kubernetes/kubernetes.ts'
import { type Actuator, done, type StepContext, type StepResult } from '../lifecycle/lifecycle.ts'
import { parseEntryName } from './entry-name.ts'
import { ensureEtcdSecret, removeEtcdSecret } from './etcd-secret.ts'

export { parseEntryName } from './entry-name.ts'

/** The provider's part of a BackupEntry. */
export interface BackupEntryProvider {
  /**
   * Returns the data that etcd's backups need besides the credentials and the bucket's name, as text by key of the
   * Secret: a region, a role.
   */
  readonly addedData: (
    step: StepContext<BackupEntry>,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Deletes the shoot's objects: all with this prefix, which ends with `/`. */
  readonly removeObjects: (step: StepContext<BackupEntry>, prefix: string) => Promise<StepResult>
}

/**
 * The actuator of a BackupEntry that all providers share (docs/contract/kinds.md#backupentry). A restore is a
 * reconcile; a migrate changes nothing.
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
    const outcome = await ensureEtcdSecret(step, {
      bucketName: object.spec.bucketName,
      ...(await addedData(step)),
    })
    if (outcome !== 'same') log.info('Secret of etcd-backup-restore', { outcome })
    return done()
  },
  remove: async step => {
    await removeEtcdSecret(step)
    return removeObjects(step, parseEntryName(step.object.metadata.name).prefix)
  },
})

/** Permissions of the BackupEntry flow in the API server, for the definition of a function. */
export const backupEntryPermissions: readonly (Permission & { readonly why: string })[] = [
  {
    resource: namespaces,
    verbs: ['get'],
    why: 'Without the namespace of a shoot, no etcd needs the Secret.',
  },
  {
    resource: secrets,
    verbs: ['create', 'delete'],
    why: "The Secret etcd-backup, which configures the backups of a shoot's etcd.",
  },
]
