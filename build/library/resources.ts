/** The exports for functions with ManagedResources; described in docs/library.md. */
export {
  type DesiredManagedResource,
  deleteManagedResource,
  type EnsuredManagedResource,
  ensureManagedResource,
  goneWait,
  healthyWait,
  longestCreationMs,
  longestDeletionMs,
  type ManagedResourceKey,
  orphanObjects,
  type ResourceWait,
  type ResourceWaiting,
  readManagedResource,
  removeSecretsOf,
  resourcePermissions,
  waitForResources,
} from '../../shared/resources/resources.ts'
