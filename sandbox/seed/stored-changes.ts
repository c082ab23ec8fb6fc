import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'

/**
 * Calls the listener with the resource of each stored change: `managedresources.resources.gardener.cloud`. The returned
 * function removes the listener.
 */
export type StoredChanges = (listener: (resource: string, event?: StoredChange) => void) => () => void

/** `key`: the name of a cluster-wide object. */
export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly key: string
}

/** Calls the listener at once, as if objects of all controllers existed. */
export const existing: StoredChanges = listener => {
  for (const { resource } of [managedResourceKind, machineKinds.MachineDeployment])
    listener(`${resource.plural}.${resource.group}`)
  return () => {}
}
