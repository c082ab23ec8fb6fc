/**
 * What the functions of the provider `local` share: the provider cluster, in which machines, load balancers and bastions are
 * objects of Kubernetes, and what a CloudProfile says for it.
 */

export {
  type CloudProfileConfig,
  configImages,
  type ImageOffer,
  readCloudProfileConfig,
} from './cloud-profile-config.ts'
export type { LocalConnection } from './connection.ts'
export { fieldManager, infraNamespaceOf, providerName } from './names.ts'
export {
  createProviderClusters,
  kubeconfigProblem,
  noKubeconfig,
  type ProviderClusters,
  type ProviderKubernetes,
  type ProviderStep,
} from './provider-clusters.ts'
