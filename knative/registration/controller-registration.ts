import { controllerResources } from './controller-resources.ts'
import { type ExtensionRegistration, RegistrationError } from './registered.ts'

/**
 * The annotation from which gardenlet derives a label of an installation's namespace
 * (docs/contract/registration.md#namespace).
 */
export const podSecurityAnnotation = 'security.gardener.cloud/pod-security-enforce'

/**
 * Returns the registered kinds and types, and the condition for the installation by gardenlet. It references the
 * ControllerDeployment of its own name.
 *
 * @param reader `legacy` for releases before `autoEnable`
 */
export const controllerRegistration = (
  registration: ExtensionRegistration,
  reader: 'ControllerRegistration' | 'legacy' = 'ControllerRegistration',
) => {
  const { name, functions, policy = 'OnDemand', podSecurity = 'restricted' } = registration
  const resources = controllerResources(functions, reader)
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
  functions,
  seedLabels,
}: ExtensionRegistration): {
  readonly seedSelector?: { readonly matchLabels: Readonly<Record<string, string>> }
} => {
  if (seedLabels === undefined) return {}
  if (functions.some(({ secondary }) => secondary === undefined))
    throw new RegistrationError(
      'a primary registration is primary in every seed, so it has no seed labels. Remove --seed-labels, or install only secondary functions',
    )
  return { seedSelector: { matchLabels: seedLabels } }
}
