/** The registration of the supported kinds and types with Gardener, and of the chart that installs the functions. */

export { controllerDeployment, legacyControllerDeployment } from './controller-deployment.ts'
export { controllerRegistration } from './controller-registration.ts'
export { operatorExtension } from './operator-extension.ts'
export {
  type ChartSource,
  type DeploymentPolicy,
  deploymentPolicies,
  type ExtensionRegistration,
  type OciChart,
  type PodSecurity,
  podSecurities,
  RegistrationError,
  type RegistrationReference,
} from './registered.ts'
