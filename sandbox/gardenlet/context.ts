import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { ExtensionObjects } from './extension-objects.ts'
import type { Landscape, SeedFacts } from './garden.ts'

/** What every flow of a gardenlet works with. */
export interface GardenletContext {
  /** Of the seed. */
  readonly kubernetes: Kubernetes
  readonly objects: ExtensionObjects
  readonly seed: SeedFacts
  readonly landscape: Landscape
}
