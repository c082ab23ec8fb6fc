import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { KubernetesError, type KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type Actuator, done, type StepContext, secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import {
  type BackupDirectorySettings,
  backupDirectorySettings,
  ensureBucketDirectory,
  removeBucketDirectory,
} from './directory/backup-directory.ts'

/**
 * Reconciles BackupBuckets of type `local` (docs/contract/provider-local.md#backups): a Secret each, and a directory if
 * a volume is mounted for them.
 */
const backupBucketActuator = ({ backupDirectory }: BackupDirectorySettings): Actuator<BackupBucket> => ({
  reconcile: async step => {
    if (backupDirectory !== '') {
      const outcome = await ensureBucketDirectory(backupDirectory, bucketOf(step.object), step)
      if (outcome === 'changed') step.log.info('directory of the bucket changed', { outcome })
    }
    const secret = generatedSecretOf(step.object)
    if ((await ensureGeneratedSecret(step)) === 'made')
      step.log.info('secret of the bucket created', { generatedSecretRef: secret })
    return done({ generatedSecretRef: secret })
  },
  remove: async step => {
    await removeGeneratedSecret(step)
    if (backupDirectory === '') return done()
    const outcome = await removeBucketDirectory(backupDirectory, bucketOf(step.object), step)
    if (outcome === 'not ours')
      step.log.warn('path of the directory does not belong to the bucket and is retained')
    return done()
  },
})

const bucketOf = ({ metadata: { name }, status }: BackupBucket) => ({
  name,
  wasMade: status?.generatedSecretRef !== undefined,
})

interface SecretKey {
  readonly name: string
  readonly namespace: string
}

/** Overrides the namespace `garden` of the Secret (docs/contract/provider-local.md#backups). */
const namespaceAnnotation = 'backupbucket.extensions.gardener.cloud/generated-secret-namespace'

/** The Secret by which BackupEntries find the bucket. Only one object can have the name of a bucket. */
const generatedSecretOf = ({ metadata, status }: BackupBucket): SecretKey => {
  const name = `generated-bucket-${metadata.name}`
  const made = status?.generatedSecretRef
  // An existing Secret retains its namespace.
  const namespace = made?.name === name ? made.namespace : metadata.annotations?.[namespaceAnnotation]
  return { name, namespace: namespace || 'garden' }
}

type BucketStep = Pick<StepContext<BackupBucket>, 'kubernetes' | 'object'>

/** Creates the Secret if it is missing. It is empty, because a directory needs no credentials. */
const ensureGeneratedSecret = async ({ kubernetes, object }: BucketStep): Promise<'made' | 'same'> => {
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
const removeGeneratedSecret = async ({ kubernetes, object }: BucketStep): Promise<void> => {
  const key = generatedSecretOf(object)
  const present = await kubernetes.get(secrets, key)
  if (present === undefined || present.metadata.deletionTimestamp !== undefined) return
  const { uid } = present.metadata
  await kubernetes.delete(secrets, key, uid === undefined ? {} : { uid })
}

/** BackupBuckets of type `local`: Secrets, and directories if a volume is mounted for them. */
export const definition = defineFunction({
  name: 'local-backupbucket',
  kind: 'BackupBucket',
  type: 'local',
  classes: ['shoot', 'garden'],
  settings: backupDirectorySettings,
  permissions: [
    {
      resource: secrets,
      verbs: ['create', 'delete'],
      why: 'The Secret of a bucket, which BackupEntries read.',
    },
  ],
  service: { maxScale: { value: 1, why: 'A volume may be mountable by only one process.' } },
  create: backupBucketActuator,
})
