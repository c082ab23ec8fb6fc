import { type ControllerResource, controllerResources } from './controller-resources.ts'
import { type DeploymentPolicy, type ExtensionRegistration, RegistrationError } from './registered.ts'

/**
 * The annotation from which gardenlet derives a label of an installation's namespace
 * (docs/contract/registration.md#namespace).
 */
export const podSecurityAnnotation = 'security.gardener.cloud/pod-security-enforce'

interface ControllerRegistration {
  readonly apiVersion: 'core.gardener.cloud/v1beta1'
  readonly kind: 'ControllerRegistration'
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> }
  readonly spec: {
    readonly resources: readonly ControllerResource[]
    readonly deployment: {
      readonly policy: DeploymentPolicy
      readonly seedSelector?: SeedSelector
      readonly deploymentRefs: readonly { readonly name: string }[]
    }
  }
}

interface SeedSelector {
  readonly matchLabels: Readonly<Record<string, string>>
}

/**
 * Returns the registered kinds and types, and the condition for the installation by gardenlet. It references the
 * ControllerDeployment of its own name.
 *
 * @param reader `legacy` for releases before `autoEnable`
 */
export const controllerRegistration = (
  registration: ExtensionRegistration,
  reader: 'ControllerRegistration' | 'legacy' = 'ControllerRegistration',
): ControllerRegistration => {
  const { name, functions, policy = 'OnDemand', primary = true, podSecurity = 'restricted' } = registration
  const resources = controllerResources(functions, { primary, reader })
  if (resources.length === 0)
    throw new RegistrationError(
      'functions only for gardens have no ControllerRegistration. Render operator-extension',
    )
  return {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'ControllerRegistration',
    metadata: { name, annotations: { [podSecurityAnnotation]: podSecurity } },
    spec: {
      resources,
      deployment: { policy, ...seedSelectorOf(registration), deploymentRefs: [{ name }] },
    },
  }
}

/** API servers refuse a selector of a primary controller: seeds that it does not match would have no controller. */
export const seedSelectorOf = ({
  primary = true,
  seedLabels,
}: ExtensionRegistration): { readonly seedSelector?: SeedSelector } => {
  if (seedLabels === undefined) return {}
  if (primary)
    throw new RegistrationError(
      'a primary registration is primary in every seed. Seed labels are possible only for a registration that is not primary',
    )
  return { seedSelector: { matchLabels: seedLabels } }
}
