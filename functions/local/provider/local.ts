/**
 * Shared by the functions of the provider `local`: the provider cluster, in which machines, load balancers and bastions
 * are Kubernetes objects, and its section of a CloudProfile.
 */

export {
  configImages,
  localCloudProfileConfigSchema,
  readCloudProfileConfig,
} from './cloud-profile-config.ts'
export type { LocalConnection } from './connection.ts'
export { awaitGone, ensureObjects, type ProviderObject } from './ensure-objects.ts'
export { familiesOf, type MachineAddressPool, machinePoolsOf } from './machine-pools.ts'
export { fieldManager, infraNamespaceOf, providerName, technicalIdOf } from './names.ts'
export {
  createProviderClusters,
  kubeconfigProblem,
  type ProviderClusters,
  type ProviderKubernetes,
} from './provider-clusters.ts'
export { providerResources } from './provider-resources.ts'
export { removeObjects } from './remove-objects.ts'
