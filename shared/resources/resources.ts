/**
 * ManagedResources: objects that a resource manager applies to the seed or to a shoot. They are kept without needless
 * writes, also where another program has written them; whether they are healthy or gone is read off them, and a wait for
 * it goes over steps.
 */

export type { DesiredManagedResource } from './desired-managed-resource.ts'

// To keep and to delete them.

export { type KeptManagedResource, keepManagedResource } from './keep-managed-resource.ts'
export { listManagedResources, type ManagedResourceKey, readManagedResource } from './observe.ts'
export { resourcePermissions } from './permissions.ts'
export { deleteManagedResource, keepObjects } from './remove-managed-resource.ts'
export { type CompareManifests, rememberingComparison } from './secrets/compare-manifests.ts'
export { removeSecretsOf } from './secrets/remove-secrets.ts'

// To wait for them.

export { appliedWait, goneWait, healthyWait, type ResourceWait } from './waits/resource-wait.ts'
export {
  longestCreationMs,
  longestDeletionMs,
  type ResourceWaiting,
  settleResources,
} from './waits/settle.ts'

// For those who compare what is rendered: tests, plans, and the resource manager of the sandbox.

export { readManifests } from './secrets/manifests.ts'
export { dataChecksum, referenceTo, secretNameOf } from './secrets/secret-name.ts'

// For those who plan: what becomes of objects, as people may see it.

export { type ManagedResourceChange, managedResourceChange } from './plan/managed-resource-change.ts'
export type { ObjectChange, ObjectId } from './plan/object-change.ts'
export { keyOf, objectChanges } from './plan/object-changes.ts'
export { settleManagedResources } from './plan/settle-managed-resources.ts'
export { certificatesIn, knownAfterCreate, type ShownOptions } from './plan/shown-objects.ts'
