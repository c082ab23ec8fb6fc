/**
 * ManagedResources: objects that a resource manager applies to the seed or to a shoot. They are written only for
 * differences, even if another program wrote them. Their status shows health and deletion, and waits span steps.
 */

export type { DesiredManagedResource } from './managed-resource-object.ts'

// Create, update and delete.

export { type KeptManagedResource, keepManagedResource } from './keep-managed-resource.ts'
export {
  listManagedResources,
  type ManagedResourceKey,
  readManagedResource,
} from './managed-resource-object.ts'
export { resourcePermissions } from './permissions.ts'
export { deleteManagedResource, keepObjects } from './remove-managed-resource.ts'
export { type CompareManifests, rememberingComparison } from './secrets/compare-manifests.ts'
export { removeSecretsOf } from './secrets/remove-secrets.ts'

// Waits.

export {
  appliedWait,
  goneWait,
  healthyWait,
  type KeptResources,
  keepManagedResources,
  longestCreationMs,
  longestDeletionMs,
  type ResourceWait,
  type ResourceWaiting,
  settleResources,
} from './waits/resource-wait.ts'

// Compares rendered objects: for tests, plans, and the sandbox's resource manager.

export { dataChecksum, referenceTo, secretNameOf } from './secrets/keep-secret.ts'
export { readManifests } from './secrets/manifests.ts'

// Changes of objects without secrets, for plans.

export { type ManagedResourceChange, managedResourceChange } from './plan/managed-resource-change.ts'
export type { ObjectChange, ObjectId } from './plan/object-change.ts'
export { keyOf, objectChanges } from './plan/object-changes.ts'
export { settleManagedResources } from './plan/settle-managed-resources.ts'
export { certificatesIn, knownAfterCreate, type ShownOptions } from './plan/shown-objects.ts'
