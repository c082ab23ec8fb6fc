import { createHash } from 'node:crypto'
import { KubernetesError, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type StepKubernetes, secrets } from '../../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from '../managed-resource-object.ts'
import { holdsSame } from './manifests.ts'

type KubernetesOfStep = Pick<StepKubernetes, 'get' | 'create' | 'patch'>

/** Label of every Secret of a ManagedResource: the seed's garbage collector deletes it when nothing references it. */
export const collectableLabel = 'resources.gardener.cloud/garbage-collectable-reference'

/** Returns true if the garbage collector may delete the Secret. */
export const isCollectable = ({ metadata }: KubernetesObject): boolean =>
  metadata.labels?.[collectableLabel] === 'true'

/** Makes a Secret collectable that a ManagedResource references and that was created without the label. */
export const makeCollectable = async (
  kubernetes: KubernetesOfStep,
  key: { readonly name: string; readonly namespace: string },
): Promise<void> => {
  const secret = await kubernetes.get(secrets, key)
  if (secret === undefined || isCollectable(secret)) return
  const { uid } = secret.metadata
  await kubernetes.patch(secrets, key, { metadata: { uid, labels: { [collectableLabel]: 'true' } } })
}

/**
 * Creates the Secret of that name or finds it: its name determines its content, which never changes. Throws if its name
 * has another content, and during its deletion.
 */
export const keepSecret = async (
  kubernetes: KubernetesOfStep,
  name: string,
  { namespace, objects }: DesiredManagedResource,
  data: Readonly<Record<string, Uint8Array>>,
): Promise<'created' | 'found'> => {
  const key = { name, namespace }
  const encoded = Object.entries(data).map(([field, bytes]) => [field, Buffer.from(bytes).toString('base64')])
  try {
    await kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...key, labels: { [collectableLabel]: 'true' } },
      type: 'Opaque',
      immutable: true,
      data: Object.fromEntries(encoded),
    })
    return 'created'
  } catch (error) {
    if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
  }
  const found = await kubernetes.get(secrets, key)
  if (found === undefined || found.metadata.deletionTimestamp !== undefined)
    throw new Error(`the Secret ${namespace}/${name} is being deleted; it is made anew once it is gone`)
  if (!(await holdsSame(found.data, objects)))
    throw new Error(`the Secret ${namespace}/${name} holds other manifests than its name says: delete it`)
  if (!isCollectable(found) || found.immutable !== true) {
    const { uid } = found.metadata
    const metadata = { uid, labels: { [collectableLabel]: 'true' } }
    await kubernetes.patch(secrets, key, { metadata, immutable: true })
  }
  return 'found'
}

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** SHA-256, in hex, of the concatenated SHA-256 of each value, in the order of the keys. The keys are not included. */
export const dataChecksum = (data: Readonly<Record<string, Uint8Array>>): string =>
  sha256(
    Object.entries(data)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => sha256(value))
      .join(''),
  )

/** Number of a checksum's hex digits in a name. */
const shortLength = 8

const startOf = ({ name, secretPrefix }: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>): string =>
  `${secretPrefix ?? ''}${name}-`

/** Returns the name of a ManagedResource's Secret with this data (docs/contract/managed-resources.md#names). */
export const secretNameOf = (
  desired: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  data: Readonly<Record<string, Uint8Array>>,
): string => `${startOf(desired)}${dataChecksum(data).slice(0, shortLength)}`

/** Returns true if the name fits a Secret of the ManagedResource with any data. */
export const isSecretNameOf = (
  desired: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  secretName: string,
): boolean => {
  const start = startOf(desired)
  return secretName.startsWith(start) && /^[0-9a-f]{8}$/.test(secretName.slice(start.length))
}

/** Returns true if the name ends with a checksum, like the Secrets that are created for ManagedResources. */
export const hasSecretName = (secretName: string): boolean => /-[0-9a-f]{8}$/.test(secretName)

const referencePrefix = 'reference.resources.gardener.cloud/'

/** Prefix of annotations that name the Secrets and ConfigMaps of an object. */
export const isReference = (annotation: string): boolean => annotation.startsWith(referencePrefix)

/** Returns the annotation that protects a used Secret from the garbage collector. */
export const referenceTo = (secretName: string): Readonly<Record<string, string>> => ({
  [`${referencePrefix}secret-${sha256(secretName).slice(0, shortLength)}`]: secretName,
})
