/** A resource manager: applies ManagedResources to the seed and to shoots, which have API servers here. */

export { looseDefinitions } from './objects/loose-definitions.ts'
export { targetOf } from './objects/target-cluster.ts'
export { type ResourceFault, resourceFaultAnnotation } from './resource-fault.ts'
export { simulateAccessSecrets } from './shoots/access-secrets.ts'
export { createShoots, type ShootCluster, type Shoots } from './shoots/shoots.ts'
export { type ResourceManager, startResourceManager } from './start-resource-manager.ts'
