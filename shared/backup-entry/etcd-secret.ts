import { configurationProblem } from '../contract/errors.ts'
import type { BackupEntry } from '../contract/objects.ts'
import { recordOf } from '../decode/record-of.ts'
import { namespaces, secrets } from '../kubernetes/core-resources.ts'
import { hasStatus, type KubernetesObject, type ObjectKey } from '../kubernetes/kubernetes.ts'
import type { StepContext, StepKubernetes } from '../lifecycle/lifecycle.ts'
import { type EntryName, parseEntryName } from './entry-name.ts'
import { contentOf, contentPatch, createdBy, etcdSecret } from './secret-content.ts'

/** Maximum number of write attempts if the Secret changes concurrently. gardenlet renews tokens in it. */
const tries = 5

type Step = Pick<StepContext<BackupEntry>, 'object' | 'kubernetes'>

/**
 * Creates or updates the Secret that configures etcd's backups. Returns `no-namespace` without any change if the shoot
 * no longer has a namespace on this seed.
 */
export const ensureEtcdSecret = async (
  { object, kubernetes }: Step,
  added: Readonly<Record<string, string>>,
): Promise<'made' | 'changed' | 'same' | 'no-namespace'> => {
  const name = parseEntryName(object.metadata.name)
  const key = keyOf(name)
  for (let attempt = 1; ; attempt++) {
    const [namespace, credentials, present] = await Promise.all([
      kubernetes.get(namespaces, { name: name.technicalId }),
      readCredentials(kubernetes, object),
      kubernetes.get(secrets, key),
    ])
    if (namespace === undefined || isTerminating(namespace)) return 'no-namespace'
    const { name: secretName, namespace: secretNamespace } = object.spec.secretRef
    const content = contentOf(present)
    const wanted = etcdSecret({
      entryName: object.metadata.name,
      secretRef: `${secretNamespace}/${secretName}`,
      credentials: contentOf(credentials),
      added,
      present: content,
    })
    try {
      if (present === undefined) {
        const { annotations, labels, data } = wanted
        const metadata = { ...key, annotations, labels }
        await kubernetes.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data })
        return 'made'
      }
      const patch = contentPatch(content, wanted)
      if (patch === undefined) return 'same'
      const { uid, resourceVersion } = present.metadata
      await kubernetes.patch(secrets, key, {
        ...patch,
        metadata: { ...patch.metadata, uid, resourceVersion },
      })
      return 'changed'
    } catch (error) {
      if (!isOvertaken(error) || attempt === tries) throw error
    }
  }
}

/** Deletes that Secret unless it belongs to another entry. */
export const removeEtcdSecret = async ({ object, kubernetes }: Step): Promise<void> => {
  const key = keyOf(parseEntryName(object.metadata.name))
  for (let attempt = 1; ; attempt++) {
    const present = await kubernetes.get(secrets, key)
    if (present === undefined) return
    const { uid, resourceVersion, deletionTimestamp } = present.metadata
    const madeFor = contentOf(present).annotations[createdBy]
    if (deletionTimestamp !== undefined) return
    if (madeFor !== undefined && madeFor !== object.metadata.name) return
    try {
      return await kubernetes.delete(secrets, key, {
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      })
    } catch (error) {
      if (!isOvertaken(error) || attempt === tries) throw error
    }
  }
}

const keyOf = ({ secretName, technicalId }: EntryName): Required<ObjectKey> => ({
  name: secretName,
  namespace: technicalId,
})

const readCredentials = async (
  kubernetes: StepKubernetes,
  { spec: { secretRef } }: BackupEntry,
): Promise<KubernetesObject> => {
  const { name = '', namespace = '' } = secretRef
  const secret = await kubernetes.get(secrets, { name, namespace })
  if (secret !== undefined) return secret
  throw configurationProblem(`cannot read the Secret ${namespace}/${name} of spec.secretRef: not found`)
}

const isTerminating = ({ metadata, status }: KubernetesObject): boolean =>
  metadata.deletionTimestamp !== undefined || recordOf(status).phase === 'Terminating'

/**
 * The Secret changed concurrently (409, 404), or the namespace did: the API server refuses to create objects in a
 * namespace that is in deletion (403) or gone (404). The state must be read again.
 */
const isOvertaken = (error: unknown): boolean =>
  hasStatus(error, 409, 404) || (hasStatus(error, 403) && /being terminated/.test(error.message))
