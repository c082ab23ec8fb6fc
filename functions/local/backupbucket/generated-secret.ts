import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { KubernetesError, type KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type StepContext, secrets } from '../../../shared/lifecycle/lifecycle.ts'

export interface SecretKey {
  readonly name: string
  readonly namespace: string
}

/** Overrides the namespace `garden` of the Secret (docs/contract/provider-local.md#backups). */
const namespaceAnnotation = 'backupbucket.extensions.gardener.cloud/generated-secret-namespace'

/** The Secret by which BackupEntries find the bucket. Only one object can have the name of a bucket. */
export const generatedSecretOf = ({ metadata, status }: BackupBucket): SecretKey => {
  const name = `generated-bucket-${metadata.name}`
  const made = status?.generatedSecretRef
  // An existing Secret retains its namespace.
  const namespace = made?.name === name ? made.namespace : metadata.annotations?.[namespaceAnnotation]
  return { name, namespace: namespace || 'garden' }
}

type BucketStep = Pick<StepContext<BackupBucket>, 'kubernetes' | 'object'>

/** Creates the Secret if it is missing. It is empty, because a directory needs no credentials. */
export const ensureGeneratedSecret = async ({ kubernetes, object }: BucketStep): Promise<'made' | 'same'> => {
  const key = generatedSecretOf(object)
  if (isRetained(key, await kubernetes.get(secrets, key))) return 'same'
  try {
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...key },
      type: 'Opaque',
    })
    return 'made'
  } catch (error) {
    // An interrupted step has created it.
    if (error instanceof KubernetesError && error.reason === 'AlreadyExists') return 'same'
    throw error
  }
}

const isRetained = ({ name, namespace }: SecretKey, present: KubernetesObject | undefined): boolean => {
  if (present?.metadata.deletionTimestamp === undefined) return present !== undefined
  throw new Error(`the Secret ${namespace}/${name} is being deleted; it is recreated after that`)
}

/** Deletes the Secret. The finalizer of a BackupEntry on it is removed when that entry is deleted. */
export const removeGeneratedSecret = async ({ kubernetes, object }: BucketStep): Promise<void> => {
  const key = generatedSecretOf(object)
  const present = await kubernetes.get(secrets, key)
  if (present === undefined || present.metadata.deletionTimestamp !== undefined) return
  const { uid } = present.metadata
  await kubernetes.delete(secrets, key, uid === undefined ? {} : { uid })
}
