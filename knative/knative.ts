/** The objects that run Trellis in a seed, generated from the definitions. */

export { compactPrograms } from './compact-programs.ts'
export { admissionParts, deployedObjects, deployedParts } from './deployed-objects.ts'
export {
  type BrokerDelivery,
  type CompactProgram,
  type DeployedMonitoring,
  type DeployedProcess,
  type Deployment,
  type DeploymentMode,
  deploymentModes,
  deploymentOf,
  type EnvironmentVariable,
  type PodsOfNamespace,
  unnamedRegistry,
} from './deployment.ts'
export { baseFiles } from './files/manifest-files.ts'
export { writeManifestFolders } from './files/manifest-folders.ts'
export { writeFiles, writeManifests } from './files/write-manifests.ts'
export { yamlOf } from './files/yaml-of.ts'
export { monitoringParts } from './monitoring/monitoring.ts'
export { healthJsonOf, servedObjectsOf } from './objects/bridge-objects.ts'
export { dependencyRules } from './objects/bridge-rules.ts'
export { explained } from './objects/explained.ts'
export { functionRules } from './objects/function-objects.ts'
export { choosesImages } from './objects/image-vector.ts'
export { reachLabels } from './objects/network-labels.ts'
export { processEnvironment } from './objects/process-pod.ts'
export { webhookComponents } from './objects/webhook-objects.ts'
export { type ProfileName, profileNames } from './profiles/broker-profile.ts'
export { rabbitmqParallelism, tooFewWorkers } from './profiles/rabbitmq-limits.ts'
export { rabbitmqWorkers, usualRabbitmq } from './profiles/rabbitmq-profile.ts'
export { withProfile } from './profiles/with-profile.ts'
