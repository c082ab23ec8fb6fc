import type { ManagedResource } from '../../contract/objects.ts'
import { deleteObject } from '../../kubernetes/ensure-object.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { listAll } from '../../kubernetes/list-all.ts'
import { type StepKubernetes, secrets } from '../../lifecycle/lifecycle.ts'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'
import { listManagedResources } from '../observe.ts'
import { collectableLabel } from './ensure-secret.ts'
import { isReference, isSecretNameOf, secretNameOf } from './secret-name.ts'

type SecretOwner = Pick<DesiredManagedResource, 'name' | 'secretPrefix'>

/**
 * Deletes the Secrets of deleted ManagedResources, so that no key material remains until the garbage collector runs.
 * Deletes only proven ones: by name, label, immutability, and a checksum in the name that matches the data. Retains
 * those that any ManagedResource of the namespace references.
 *
 * @example
 * await removeSecretsOf(kubernetes, namespace, [{ name: 'extension-acme' }])
 */
export const removeSecretsOf = async (
  kubernetes: StepKubernetes,
  namespace: string,
  gone: readonly SecretOwner[],
): Promise<void> => {
  const candidates = await listAll(kubernetes, secrets, {
    namespace,
    labelSelector: `${collectableLabel}=true`,
  })
  const ours = candidates.filter(secret => gone.some(named => isSecretOf(named, secret)))
  if (ours.length === 0) return
  // Listed after the Secrets: the author of a later reference has read its Secret since.
  const present = await listManagedResources(kubernetes, namespace)
  const referenced = new Set([...present.values()].flatMap(referencesOf))
  for (const secret of ours) {
    if (!referenced.has(secret.metadata.name)) await deleteObject(kubernetes, secrets, secret)
  }
}

const isSecretOf = (named: SecretOwner, { metadata, type, immutable, data }: KubernetesObject): boolean => {
  if (type !== 'Opaque' || immutable !== true || !isSecretNameOf(named, metadata.name)) return false
  const bytes = Object.entries(Object(data)).map(
    ([key, value]) => [key, Buffer.from(String(value), 'base64')] as const,
  )
  return secretNameOf(named, Object.fromEntries(bytes)) === metadata.name
}

const referencesOf = ({ metadata: { annotations = {} }, spec }: ManagedResource): readonly string[] => [
  ...(spec?.secretRefs ?? []).flatMap(({ name }) => name ?? []),
  ...Object.entries(annotations).flatMap(([key, name]) => (isReference(key) ? [name] : [])),
]
