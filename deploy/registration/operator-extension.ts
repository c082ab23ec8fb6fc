import { type OciRepository, ociRepositoryOf } from './controller-deployment.ts'
import { podSecurityAnnotation, seedSelectorOf } from './controller-registration.ts'
import { type ControllerResource, controllerResources } from './controller-resources.ts'
import {
  type DeploymentPolicy,
  type ExtensionRegistration,
  type OciChart,
  RegistrationError,
} from './registered.ts'

/** The charts of admission in the garden, and the values of both. */
interface AdmissionCharts {
  /** The chart for the garden's runtime cluster. */
  readonly runtime: OciChart
  /** The chart with its permissions in the virtual garden. */
  readonly application: OciChart
  readonly values: ExtensionRegistration['values']
}

interface HelmDeployment {
  readonly helm: { readonly ociRepository: OciRepository }
}

interface OperatorExtension {
  readonly apiVersion: 'operator.gardener.cloud/v1alpha1'
  readonly kind: 'Extension'
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> }
  readonly spec: {
    readonly resources: readonly ControllerResource[]
    readonly deployment: {
      readonly extension: HelmDeployment & {
        readonly values: ExtensionRegistration['values']
        readonly runtimeClusterValues?: ExtensionRegistration['values']
        readonly policy: DeploymentPolicy
        readonly seedSelector?: { readonly matchLabels: Readonly<Record<string, string>> }
        readonly injectGardenKubeconfig: boolean
      }
      readonly admission?: {
        readonly runtimeCluster: HelmDeployment
        readonly virtualCluster: HelmDeployment
        readonly values: ExtensionRegistration['values']
      }
    }
  }
}

/**
 * Returns the object from which gardener-operator creates a ControllerRegistration with its ControllerDeployment. The
 * operator itself installs the functions of class garden and admission (docs/contract/registration.md#operator). Its
 * charts are in a registry.
 */
export const operatorExtension = (
  registration: ExtensionRegistration & { readonly admission?: AdmissionCharts },
): OperatorExtension => {
  const { name, functions, chart, values, policy = 'OnDemand', primary = true, admission } = registration
  if (chart.kind === 'raw')
    throw new RegistrationError(
      "the operator accepts only charts from a registry. Give the chart's reference",
    )
  return {
    apiVersion: 'operator.gardener.cloud/v1alpha1',
    kind: 'Extension',
    metadata: {
      name,
      annotations: { [podSecurityAnnotation]: registration.podSecurity ?? 'restricted' },
    },
    spec: {
      resources: controllerResources(functions, { primary, reader: 'operator' }),
      deployment: {
        extension: {
          ...helmOf(chart),
          values,
          ...(functions.some(({ classes }) => classes.includes('garden')) && {
            runtimeClusterValues: values,
          }),
          policy,
          ...seedSelectorOf(registration),
          injectGardenKubeconfig: registration.gardenAccess ?? false,
        },
        ...(admission !== undefined && {
          admission: {
            runtimeCluster: helmOf(admission.runtime),
            virtualCluster: helmOf(admission.application),
            values: admission.values,
          },
        }),
      },
    },
  }
}

const helmOf = (chart: OciChart): HelmDeployment => ({ helm: { ociRepository: ociRepositoryOf(chart) } })
