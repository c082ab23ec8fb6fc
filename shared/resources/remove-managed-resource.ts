import type { ManagedResource } from '../contract/objects.ts'
import { managedResourceKind } from '../contract/resource-kinds.ts'
import { deleteObject } from '../kubernetes/ensure-object.ts'
import { hasStatus } from '../kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../lifecycle/lifecycle.ts'
import { type ManagedResourceKey, readManagedResource } from './observe.ts'
import { makeCollectable } from './secrets/ensure-secret.ts'
import { hasSecretName } from './secrets/secret-name.ts'

const { resource } = managedResourceKind

/**
 * Deletes the observed ManagedResource, but not another one of its name (docs/contract/managed-resources.md#delete).
 * Its Secrets remain until it is gone: then `removeSecretsOf` or the garbage collector deletes them.
 *
 * @param observed the object as read in this step; null: it does not exist. Absent: it is read.
 * @returns true if something had to be deleted
 *
 * @example
 * const isThere = await deleteManagedResource(kubernetes, { namespace, name: 'extension-acme' })
 * return isThere ? continueAfter(5_000, 50, 'Waiting until the objects are gone') : done()
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
    // Secrets with a checksum in their name were created with the label.
    if (name && !hasSecretName(name)) await makeCollectable(kubernetes, { ...key, name })
  }
  await deleteObject(kubernetes, resource, present)
  return true
}

/**
 * Retains the objects when the ManagedResource is deleted. Call it before the deletion when a shoot moves to another
 * seed.
 *
 * @example
 * await orphanObjects(kubernetes, { namespace, name: 'extension-acme' })
 * await deleteManagedResource(kubernetes, { namespace, name: 'extension-acme' })
 */
export const orphanObjects = async (
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
    if (!hasStatus(error, 404)) throw error
  }
}

const keyOf = ({ name, namespace }: ManagedResourceKey): ManagedResourceKey => ({ name, namespace })

/**
 * Names ManagedResources that a forced deletion may leave behind.
 *
 * @example
 * const orphans = resourceTexts('shoot--foo--bar', ['network'])
 */
export const resourceTexts = (namespace: string, names: readonly string[]): readonly string[] =>
  names.map(name => `ManagedResource ${namespace}/${name} with its objects`)
