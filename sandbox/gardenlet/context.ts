import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { ExtensionObjects } from './extension-objects.ts'
import type { Landscape, SeedFacts } from './garden.ts'

export interface GardenletContext {
  /** The namespace in the seed. */
  readonly kubernetes: Kubernetes
  readonly objects: ExtensionObjects
  readonly seed: SeedFacts
  readonly landscape: Landscape
}
