import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { KubernetesError, type KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type StepContext, secrets } from '../../../shared/lifecycle/lifecycle.ts'

export interface SecretKey {
  readonly name: string
  readonly namespace: string
}

/** Chooses another namespace for the Secret than `garden` (docs/contract/provider-local.md#backups). */
const namespaceAnnotation = 'backupbucket.extensions.gardener.cloud/generated-secret-namespace'

/** The Secret by which BackupEntries know the bucket. The name of a bucket is that of one object. */
export const generatedSecretOf = ({ metadata, status }: BackupBucket): SecretKey => {
  const name = `generated-bucket-${metadata.name}`
  const made = status?.generatedSecretRef
  // The one that was made stays where it is.
  const namespace = made?.name === name ? made.namespace : metadata.annotations?.[namespaceAnnotation]
  return { name, namespace: namespace || 'garden' }
}

type Step = Pick<StepContext<BackupBucket>, 'kubernetes' | 'object'>

/** Makes the Secret where it is missing. It is empty: a directory asks for no credentials. */
export const keepGeneratedSecret = async ({ kubernetes, object }: Step): Promise<'made' | 'same'> => {
  const key = generatedSecretOf(object)
  if (isKept(key, await kubernetes.get(secrets, key))) return 'same'
  try {
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...key },
      type: 'Opaque',
    })
    return 'made'
  } catch (error) {
    // A step that was killed has made it.
    if (error instanceof KubernetesError && error.reason === 'AlreadyExists') return 'same'
    throw error
  }
}

const isKept = ({ name, namespace }: SecretKey, present: KubernetesObject | undefined): boolean => {
  if (present?.metadata.deletionTimestamp === undefined) return present !== undefined
  throw new Error(`the Secret ${namespace}/${name} is being deleted; it is made anew once it is gone`)
}

/** Deletes it. One of a BackupEntry's finalizer goes when that entry does. */
export const removeGeneratedSecret = async ({ kubernetes, object }: Step): Promise<void> => {
  const key = generatedSecretOf(object)
  const present = await kubernetes.get(secrets, key)
  if (present === undefined || present.metadata.deletionTimestamp !== undefined) return
  const { uid } = present.metadata
  await kubernetes.delete(secrets, key, uid === undefined ? {} : { uid })
}
