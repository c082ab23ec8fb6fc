import { ociRepositoryOf } from './controller-deployment.ts'
import { podSecurityAnnotation, seedSelectorOf } from './controller-registration.ts'
import { controllerResources } from './controller-resources.ts'
import { type ExtensionRegistration, type OciChart, RegistrationError } from './registered.ts'
import { resourceReferences } from './resource-references.ts'

/** The charts of admission in the garden, and the values of both. */
interface AdmissionCharts {
  /** The chart for the garden's runtime cluster. Absent: no webhooks, only objects of the garden. */
  readonly runtime?: OciChart
  /** The chart with its permissions and other objects in the virtual garden. */
  readonly application: OciChart
  readonly values: ExtensionRegistration['values']
}

/**
 * Returns the object from which gardener-operator creates a ControllerRegistration with its ControllerDeployment. The
 * operator itself installs the functions of class garden and admission (docs/contract/registration.md#operator). Its
 * charts are in a registry.
 */
export const operatorExtension = (
  registration: ExtensionRegistration & { readonly admission?: AdmissionCharts },
) => {
  const { name, functions, chart, values, policy = 'OnDemand', admission } = registration
  if (chart.kind === 'raw')
    throw new RegistrationError(
      'the operator accepts only charts from a registry. Give the reference: --chart registry.example.com/charts/trellis:1.2.3',
    )
  return {
    apiVersion: 'operator.gardener.cloud/v1alpha1',
    kind: 'Extension',
    metadata: { name, annotations: { [podSecurityAnnotation]: registration.podSecurity ?? 'restricted' } },
    spec: {
      resources: controllerResources(functions, 'operator'),
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
            ...(admission.runtime && { runtimeCluster: helmOf(admission.runtime) }),
            virtualCluster: helmOf(admission.application),
            values: admission.values,
          },
        }),
        ...resourceReferences(registration.resources, values, admission?.values),
      },
    },
  }
}

const helmOf = (chart: OciChart) => ({ helm: { ociRepository: ociRepositoryOf(chart) } })
