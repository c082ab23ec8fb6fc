/** The exports about the shoot of an object; described in docs/library.md. */

// Facts of its Cluster.

export {
  type FailureTolerance,
  failureToleranceOf,
  genericKubeconfigSecretName,
  hasManagedInfrastructure,
  isHibernated,
  isHibernatingOrWakingUp,
  isHibernationEnabled,
  isSelfHosted,
  isWorkerless,
  kubernetesVersionOf,
  podNetworks,
  type RotatedCredentials,
  type RotationPhase,
  rotationPhaseOf,
} from '../../shared/contract/cluster-facts.ts'
export { minorVersionOf } from '../../shared/contract/minor-version-of.ts'

// Resources that it lists, for references in a providerConfig.

export {
  type ReferencedKind,
  type ReferencedResource,
  type ReferenceOptions,
  type ReferringStep,
  readReference,
  referencePermissions,
  type StatusResource,
  statusResources,
} from '../../shared/references/references.ts'

// Access to its API server, for components and for the function itself.

export {
  accessSecretName,
  ensureAccessSecrets,
  findShoot,
  kubeconfigMount,
  kubeconfigPath,
  kubeconfigVolume,
  type OpenShootInput,
  openShoot,
  type ReachedShoot,
  removeAccessSecrets,
} from '../../shared/shoot/shoot.ts'
