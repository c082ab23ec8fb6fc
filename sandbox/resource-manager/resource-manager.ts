/** A resource manager: ManagedResources become objects of the seed and of shoots, which have API servers here. */

export { loosely } from './objects/definitions.ts'
export { type Target, targetOf } from './objects/target.ts'
export { type ResourceFault, resourceFaultAnnotation } from './resource-fault.ts'
export { keepAccessSecrets } from './shoots/access-secrets.ts'
export { createShoots, type Shoot, type Shoots } from './shoots/shoots.ts'
export {
  type ResourceManager,
  type ResourceManagerOptions,
  startResourceManager,
} from './start-resource-manager.ts'
