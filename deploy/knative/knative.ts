/** The objects that run Trellis in a seed, generated from the definitions. */

export { compactPrograms } from './compact-programs.ts'
export { admissionParts, deployedObjects, deployedParts } from './deployed-objects.ts'
export {
  type BrokerDelivery,
  type CompactProgram,
  type DeployedMonitoring,
  type Deployment,
  deploymentOf,
  type EnvironmentVariable,
  type PodsOfNamespace,
} from './deployment.ts'
export { writeFiles, writeManifests } from './files/write-manifests.ts'
export { yamlOf } from './files/yaml-of.ts'
export { mostConcurrency } from './objects/compact-objects.ts'
export { type Explained, explained } from './objects/explained.ts'
export { type ProfileName, profileNames } from './profiles/broker-profile.ts'
export { rabbitmqParallelism, usualRabbitmq } from './profiles/rabbitmq-profile.ts'
export { withProfile } from './profiles/with-profile.ts'
export { compactRepositoryDeployment, repositoryDeployment } from './repository-deployment.ts'
