import { type ExtensionRegistration, type OciChart, RegistrationError } from './registered.ts'

interface ControllerDeployment {
  readonly apiVersion: 'core.gardener.cloud/v1'
  readonly kind: 'ControllerDeployment'
  readonly metadata: { readonly name: string }
  readonly helm: ({ readonly rawChart: string } | { readonly ociRepository: OciRepository }) & {
    readonly values: ExtensionRegistration['values']
  }
  readonly injectGardenKubeconfig: boolean
}

/** The format before `core.gardener.cloud/v1`: still served, and the only one for old releases. */
interface LegacyControllerDeployment {
  readonly apiVersion: 'core.gardener.cloud/v1beta1'
  readonly kind: 'ControllerDeployment'
  readonly metadata: { readonly name: string }
  readonly type: 'helm'
  readonly providerConfig: { readonly chart: string; readonly values: ExtensionRegistration['values'] }
  readonly injectGardenKubeconfig?: boolean
}

export interface OciRepository {
  readonly ref: string
  readonly pullSecretRef?: { readonly name: string }
  readonly caBundleSecretRef?: { readonly name: string }
}

/** Returns the chart and its values, which gardenlet renders for each seed (docs/contract/registration.md#charts). */
export const controllerDeployment = ({
  name,
  chart,
  values,
  gardenAccess = false,
}: ExtensionRegistration): ControllerDeployment => ({
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
})

/**
 * Returns the same for an older Gardener. The chart has to be embedded, because the newer API introduced charts in
 * registries.
 */
export const legacyControllerDeployment = ({
  name,
  chart,
  values,
  gardenAccess = false,
}: ExtensionRegistration): LegacyControllerDeployment => {
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

export const ociRepositoryOf = ({ ref, pullSecret, caBundleSecret }: OciChart): OciRepository => ({
  ref,
  ...(pullSecret !== undefined && { pullSecretRef: { name: pullSecret } }),
  ...(caBundleSecret !== undefined && { caBundleSecretRef: { name: caBundleSecret } }),
})

const base64Of = (archive: Uint8Array): string => Buffer.from(archive).toString('base64')
