/**
 * A cluster of Kubernetes that stands for a cloud: an API server in memory, and of what works in a cluster as much as functions wait
 * for.
 */

export { type ClusterCall, callOf } from './cluster-call.ts'
export {
  createProviderCluster,
  type ProviderCluster,
  type ProviderClusterOptions,
} from './create-provider-cluster.ts'
export { ipPoolDefinition } from './definitions.ts'
export { podMachines } from './pod-machines.ts'
