/**
 * ManagedResources: objects that a resource manager applies to the seed or to a shoot. They are written only for
 * differences, even if another program wrote them. Their status shows health and deletion, and waits span steps.
 */

export type { DesiredManagedResource } from './desired-managed-resource.ts'

// Create, update and delete.

export { type KeptManagedResource, keepManagedResource } from './keep-managed-resource.ts'
export { listManagedResources, type ManagedResourceKey, readManagedResource } from './observe.ts'
export { resourcePermissions } from './permissions.ts'
export { deleteManagedResource, keepObjects } from './remove-managed-resource.ts'
export { type CompareManifests, rememberingComparison } from './secrets/compare-manifests.ts'
export { removeSecretsOf } from './secrets/remove-secrets.ts'

// Waits.

export { type KeptResources, keepManagedResources } from './waits/keep-managed-resources.ts'
export { appliedWait, goneWait, healthyWait, type ResourceWait } from './waits/resource-wait.ts'
export {
  longestCreationMs,
  longestDeletionMs,
  type ResourceWaiting,
  settleResources,
} from './waits/settle.ts'

// Compares rendered objects: for tests, plans, and the sandbox's resource manager.

export { readManifests } from './secrets/manifests.ts'
export { dataChecksum, referenceTo, secretNameOf } from './secrets/secret-name.ts'

// Changes of objects without secrets, for plans.

export { type ManagedResourceChange, managedResourceChange } from './plan/managed-resource-change.ts'
export type { ObjectChange, ObjectId } from './plan/object-change.ts'
export { keyOf, objectChanges } from './plan/object-changes.ts'
export { settleManagedResources } from './plan/settle-managed-resources.ts'
export { certificatesIn, knownAfterCreate, type ShownOptions } from './plan/shown-objects.ts'
