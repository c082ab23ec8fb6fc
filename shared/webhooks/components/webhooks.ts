/**
 * The provider-independent changes of webhooks for Gardener's own components: parts of a Deployment, an
 * OperatingSystemConfig or a Secret. Each change is idempotent and leaves everything else unchanged. The provider
 * chooses the parts and values.
 */

// Changes of lists and flags.
export { ensureItem, removeFlags, setFlag, setLastFlag, setListedFlag } from './change/edits.ts'
// Nodes.
export {
  changeNodes,
  type KubeletChanges,
  kubeletVersion,
  type NodeChanges,
  type NodeFile,
  type NodeUnit,
  nodeConfigSchema,
  textOfBase64,
} from './node/operating-system-config.ts'
// Pods.
export {
  isSelfHosted,
  machineControllerSidecar,
  type SidecarOptions,
  withSidecar,
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
// Volumes of etcds.
export {
  type EtcdVolume,
  etcdReviewer,
  etcdVolumeSettings,
  etcdWebhook,
} from './seed/etcd-volumes.ts'
// The reviewed objects, and the objects read from the seed for them.
export {
  type ControlPlaneChanges,
  cloudproviderPermission,
  clusterPermission,
  clusterReader,
  controlPlaneReviewer,
  controlPlaneWebhook,
  type ReviewerOf,
  type ReviewOf,
  readCloudprovider,
  readCluster,
  reviewerOf,
} from './seed/objects.ts'
