/**
 * What webhooks of Gardener's own components are with every provider: which part of a Deployment, of an OperatingSystemConfig
 * or of a Secret is changed in which way, so that a second change changes nothing, and all else stays as it is. Which parts, and
 * to what, a provider says.
 */

// Lists and flags.
export { removeFlags, setFlag, setLastFlag, setListedFlag } from './change/command-flags.ts'
export { ensureItem } from './change/named-items.ts'
// Nodes.
export { textOfBase64 } from './node/inline-content.ts'
export {
  changeNodes,
  kubeletVersion,
  type NodeChanges,
  nodeConfigSchema,
} from './node/operating-system-config.ts'
// Pods.
export {
  autoscalerSchema,
  isSelfHosted,
  machineControllerSidecar,
  withSidecar,
  withSidecarPolicy,
} from './pod/machine-controller.ts'
export {
  changeCommand,
  changeContainer,
  changePod,
  changeTemplate,
  deploymentSchema,
  type PodSpec,
  type PodTemplate,
  podSchema,
  type ReviewedContainer,
  withoutAnnotations,
  withoutEnvironment,
  withoutLabels,
  withoutVolumes,
} from './pod/pod-template.ts'
export {
  cloudproviderName,
  hasWorkloadIdentity,
  tokenFolder,
  withTokenMount,
  withTokenVolume,
} from './pod/workload-identity.ts'

// What is reviewed, and what is looked up for it in the seed.
export { cloudproviderPermission, clusterPermission, readCloudprovider } from './seed/objects.ts'
export { clusterReader, readCluster } from './seed/read-cluster.ts'
export { type ReviewOf, reviewerOf } from './seed/reviewer-of.ts'
