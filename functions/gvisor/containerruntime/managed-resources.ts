import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../../../shared/resources/resources.ts'
import { type Installation, installationObjects } from './objects/installation.ts'
import { sharedObjects } from './objects/shared-objects.ts'

const origin = 'extension-runtime-gvisor'

/** The ManagedResource that the pools of a shoot share. */
export const commonName = origin

/** The name of the ManagedResource of one pool. */
export const installationName = (pool: string): string => `${origin}-installation-${pool}`

const managedResource = (
  namespace: string,
  name: string,
  objects: readonly KubernetesObject[],
): DesiredManagedResource => ({
  name,
  namespace,
  labels: { origin },
  key: 'config.yaml',
  secretPrefix: 'managedresource-',
  // Excludes the objects from Gardener's clean-up of a deleted shoot. The ManagedResource deletes them.
  injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  keepObjects: false,
  objects,
})

export const commonResource = (namespace: string): DesiredManagedResource =>
  managedResource(namespace, commonName, sharedObjects)

export const installationResource = (namespace: string, installation: Installation): DesiredManagedResource =>
  managedResource(namespace, installationName(installation.pool.name), installationObjects(installation))
