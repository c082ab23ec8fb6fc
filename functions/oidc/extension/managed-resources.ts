import { inInstallOrder } from '../../../shared/manifests/manifests.ts'
import type { DesiredManagedResource } from '../../../shared/resources/resources.ts'
import type { SeedInput } from './objects/seed-input.ts'
import { seedObjects } from './objects/seed-objects.ts'
import { type ShootInput, shootObjects } from './objects/shoot-objects.ts'

/** The objects in the seed, or in the runtime cluster of a garden. */
export const seedName = 'extension-shoot-oidc-service-seed'
/** The objects in the shoot, or in the virtual garden. */
export const shootName = 'extension-shoot-oidc-service-shoot'

const shared = { key: 'data.yaml.br', secretPrefix: 'managedresource-', keepObjects: false } as const

export const seedResource = (input: SeedInput): DesiredManagedResource => ({
  ...shared,
  name: seedName,
  namespace: input.namespace,
  class: 'seed',
  objects: inInstallOrder(seedObjects(input)),
})

export const shootResource = (input: ShootInput): DesiredManagedResource => ({
  ...shared,
  name: shootName,
  namespace: input.namespace,
  labels: { origin: 'shoot-oidc-service' },
  // Excludes the objects from Gardener's clean-up of a deleted shoot. The ManagedResource deletes them.
  injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
  objects: inInstallOrder(shootObjects(input)),
})
