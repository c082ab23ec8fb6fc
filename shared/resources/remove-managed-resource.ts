import type { ManagedResource } from '../contract/objects.ts'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { deleteObject } from '../kubernetes/keep-object.ts'
import { KubernetesError } from '../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../lifecycle/lifecycle.ts'
import { type ManagedResourceKey, readManagedResource } from './observe.ts'
import { makeCollectable } from './secrets/keep-secret.ts'
import { hasSecretName } from './secrets/secret-name.ts'

const { resource } = managedResourceKind

/**
 * Asks for the deletion of the ManagedResource that was observed, and of none that has its name by now
 * (docs/contract/managed-resources.md#delete). Its Secrets stay until it is gone: `removeSecretsOf` then takes them, or
 * the garbage collector does.
 *
 * @param observed it as it was read in this step; null: there is none. Absent: it is read.
 * @returns whether there is, or was, anything to delete
 */
export const deleteManagedResource = async (
  kubernetes: StepKubernetes,
  key: ManagedResourceKey,
  observed?: ManagedResource | null,
): Promise<boolean> => {
  const present = observed === undefined ? await readManagedResource(kubernetes, key) : observed
  if (!present) return false
  if (present.metadata.deletionTimestamp !== undefined) return true
  for (const { name } of present.spec?.secretRefs ?? []) {
    // Those with a checksum in their name were made with the label.
    if (name && !hasSecretName(name)) await makeCollectable(kubernetes, { ...key, name })
  }
  await deleteObject(kubernetes, resource, present)
  return true
}

/** Lets the objects stay when the ManagedResource is deleted: before it is, where a shoot moves to another seed. */
export const keepObjects = async (
  kubernetes: StepKubernetes,
  key: ManagedResourceKey,
  observed?: ManagedResource | null,
): Promise<void> => {
  const present = observed === undefined ? await readManagedResource(kubernetes, key) : observed
  if (!present || present.spec?.keepObjects === true) return
  const { uid } = present.metadata
  try {
    await kubernetes.patch(resource, keyOf(key), { metadata: { uid }, spec: { keepObjects: true } })
  } catch (error) {
    if (!(error instanceof KubernetesError && error.status === 404)) throw error
  }
}

const keyOf = ({ name, namespace }: ManagedResourceKey): ManagedResourceKey => ({ name, namespace })
