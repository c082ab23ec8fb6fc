import { KubernetesError, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type StepKubernetes, secrets } from '../../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'
import { holdsSame } from './manifests.ts'

type KubernetesOfStep = Pick<StepKubernetes, 'get' | 'create' | 'patch'>

/** Label of every Secret of a ManagedResource: the seed's garbage collector deletes it when nothing references it. */
export const collectableLabel = 'resources.gardener.cloud/garbage-collectable-reference'

/** Returns true if the garbage collector may delete the Secret. */
const isCollectable = ({ metadata }: KubernetesObject): boolean =>
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
export const ensureSecret = async (
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
    throw new Error(`the Secret ${namespace}/${name} is being deleted; it is recreated after that`)
  if (!(await holdsSame(found.data, objects)))
    throw new Error(
      `the Secret ${namespace}/${name} contains different manifests than its name says. Delete it`,
    )
  if (!isCollectable(found) || found.immutable !== true) {
    const { uid } = found.metadata
    const metadata = { uid, labels: { [collectableLabel]: 'true' } }
    await kubernetes.patch(secrets, key, { metadata, immutable: true })
  }
  return 'found'
}
