import { type ExtensionRegistration, type OciChart, RegistrationError } from './registered.ts'
import { resourceReferences } from './resource-references.ts'

/** Returns the chart and its values, which gardenlet renders for each seed (docs/contract/registration.md#charts). */
export const controllerDeployment = ({
  name,
  chart,
  values,
  gardenAccess = false,
  resources,
}: ExtensionRegistration) => ({
  apiVersion: 'core.gardener.cloud/v1',
  kind: 'ControllerDeployment',
  metadata: { name },
  helm: {
    ...(chart.kind === 'raw'
      ? { rawChart: base64Of(chart.archive) }
      : { ociRepository: ociRepositoryOf(chart) }),
    values,
  },
  injectGardenKubeconfig: gardenAccess,
  ...resourceReferences(resources, values),
})

/**
 * Returns the same in the format before `core.gardener.cloud/v1`, which is the only one for old releases. The chart has
 * to be embedded, because the newer API introduced charts in registries.
 */
export const legacyControllerDeployment = ({
  name,
  chart,
  values,
  gardenAccess = false,
  resources = [],
}: ExtensionRegistration) => {
  if (resources.length > 0)
    throw new RegistrationError(
      'a legacy ControllerDeployment has no references to Secrets. Remove --resources or --legacy',
    )
  if (chart.kind === 'oci')
    throw new RegistrationError(
      'a legacy ControllerDeployment embeds its chart. Remove the reference to a registry',
    )
  return {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'ControllerDeployment',
    metadata: { name },
    type: 'helm',
    providerConfig: { chart: base64Of(chart.archive), values },
    // Releases without this field give access to all extensions.
    ...(gardenAccess && { injectGardenKubeconfig: true }),
  }
}

export const ociRepositoryOf = ({ ref, pullSecret, caBundleSecret }: OciChart) => ({
  ref,
  ...(pullSecret !== undefined && { pullSecretRef: { name: pullSecret } }),
  ...(caBundleSecret !== undefined && { caBundleSecretRef: { name: caBundleSecret } }),
})

const base64Of = (archive: Uint8Array): string => Buffer.from(archive).toString('base64')
