/** How Gardener learns which kinds and types are served here, and where the chart is that runs what serves them. */

export { controllerDeployment, legacyControllerDeployment } from './controller-deployment.ts'
export { controllerRegistration } from './controller-registration.ts'
export { type ControllerResource, controllerResources } from './controller-resources.ts'
export { operatorExtension } from './operator-extension.ts'
export {
  type ChartSource,
  type DeploymentPolicy,
  deploymentPolicies,
  type ExtensionRegistration,
  type OciChart,
  type PodSecurity,
  podSecurities,
  type RawChart,
  RegistrationError,
} from './registered.ts'
