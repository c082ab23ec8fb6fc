/**
 * ManagedResources: objects that a resource manager applies to the seed or to a shoot. They are written only for
 * differences, even if another program wrote them. Their status shows health and deletion, and waits span steps.
 */

export type { DesiredManagedResource } from './desired-managed-resource.ts'

// Create, update and delete.

export { type EnsuredManagedResource, ensureManagedResource } from './ensure-managed-resource.ts'
export { listManagedResources, type ManagedResourceKey, readManagedResource } from './observe.ts'
export { resourcePermissions } from './permissions.ts'
export { deleteManagedResource, orphanObjects, resourceTexts } from './remove-managed-resource.ts'
export { type CompareManifests, rememberingComparison } from './secrets/compare-manifests.ts'
export { removeSecretsOf } from './secrets/remove-secrets.ts'

// Waits.

export { type EnsuredResources, ensureManagedResources } from './waits/ensure-managed-resources.ts'
export { type ResourceRemoval, removeManagedResources } from './waits/remove-managed-resources.ts'
export { appliedWait, goneWait, healthyWait, type ResourceWait } from './waits/resource-wait.ts'
export {
  longestCreationMs,
  longestDeletionMs,
  type ResourceWaiting,
  waitForResources,
} from './waits/wait-for-resources.ts'

// Compares rendered objects: for tests, plans, and the sandbox's resource manager.

export { readManifests } from './secrets/manifests.ts'
export { dataChecksum, referenceTo, secretNameOf } from './secrets/secret-name.ts'

// Changes of objects without secrets, for plans.

export { completeManagedResources } from './changes/complete-managed-resources.ts'
export { type ManagedResourceChange, managedResourceChange } from './changes/managed-resource-change.ts'
export type { ObjectChange, ObjectId } from './changes/object-change.ts'
export { keyOf, objectChanges } from './changes/object-changes.ts'
export { certificatesIn, knownAfterCreate, type ShownOptions } from './changes/shown-objects.ts'
