/** The objects that run Trellis in a seed, generated from the definitions. */

export { compactPrograms } from './compact-programs.ts'
export { admissionParts, type DeployedPart, deployedObjects, deployedParts } from './deployed-objects.ts'
export {
  type BrokerDelivery,
  type CompactProgram,
  type ContainerResources,
  type DeployedBroker,
  type DeployedMonitoring,
  type DeployedProcess,
  type Deployment,
  deploymentOf,
  type EnvironmentVariable,
  type GardenAccess,
  type GardenAdmission,
  type PodsOfNamespace,
  type RabbitmqCluster,
  unnamedRegistry,
} from './deployment.ts'
export { admissionFiles, baseFiles, type ManifestFiles, monitoringFiles } from './files/manifest-files.ts'
export { writeFiles, writeManifests } from './files/write-manifests.ts'
export { yamlOf } from './files/yaml-of.ts'
export { functionManifest } from './function-manifest.ts'
export { servedObjectsOf } from './objects/bridge-objects.ts'
export { mostConcurrency } from './objects/compact-objects.ts'
export { type Comment, type Explained, explained } from './objects/explained.ts'
export { clusterRoleName } from './objects/names.ts'
export { type ProfileName, profileNames } from './profiles/broker-profile.ts'
export { profileFiles } from './profiles/profile-files.ts'
export { rabbitmqParallelism, usualRabbitmq } from './profiles/rabbitmq-profile.ts'
export { withProfile } from './profiles/with-profile.ts'
export { compactRepositoryDeployment, repositoryDeployment } from './repository-deployment.ts'
