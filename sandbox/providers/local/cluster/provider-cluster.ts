/** A Kubernetes cluster used as a cloud: an in-memory API server, and the controllers that functions depend on. */

export { type ClusterCall, callOf } from './cluster-call.ts'
export { createProviderCluster, type ProviderCluster } from './create-provider-cluster.ts'
export { ipPoolDefinition } from './definitions.ts'
export { podMachines } from './pod-machines.ts'
