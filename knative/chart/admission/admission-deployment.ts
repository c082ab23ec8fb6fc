import type { WebhookDefinition } from '../../../shared/webhooks/admission/admission.ts'
import { type Deployment, deploymentOf } from '../../knative.ts'
import { priorityOf, type Release, textAt, usualImage, variablesOf } from '../deployment-of-values.ts'
import type { GardenObjects } from './admission-charts.ts'
import type { AdmissionValues } from './admission-values.ts'

/** Returns the objects that releases of the charts with these values install: its `admissionParts`. */
export const admissionDeployment = (
  values: AdmissionValues,
  webhooks: readonly WebhookDefinition[],
  { name, namespace, version, libraryVersion }: Release,
  gardenObjects: readonly GardenObjects[] = [],
): Deployment => {
  const { image, images, virtualGarden, gardener } = values
  const account = (field: string) => textAt(gardener, ['virtualCluster', 'serviceAccount', field])
  const ownerNamespace = textAt(gardener, ['virtualCluster', 'namespace'])
  return deploymentOf({
    name,
    namespace,
    libraryVersion,
    image: program => images.webhook ?? usualImage(image, program, version),
    imagePullSecrets: image.pullSecrets,
    webhooks: webhooks.filter(({ component }) => values.components[component]?.enabled),
    gardenObjects: gardenObjects
      .filter(({ provider }) => values.gardenObjects[provider]?.enabled)
      .flatMap(({ objects }) => objects),
    webhook: { replicas: values.replicas, resources: values.resources, env: variablesOf(values.env) },
    gardenAdmission: {
      name: admissionName(name),
      account: {
        name: account('name') ?? virtualGarden.account.name,
        namespace: account('namespace') ?? virtualGarden.account.namespace,
      },
      ...(virtualGarden.kubeconfigSecret && { kubeconfigSecret: virtualGarden.kubeconfigSecret }),
      ...(ownerNamespace !== undefined && { ownerNamespace }),
      ...priorityOf(values),
    },
    verticalScaling: values.verticalPodAutoscaler.enabled,
    logLevel: values.logLevel,
    podLabels: values.podLabels,
  })
}

/** The name of the workload, from the name of its release, which Helm limits to 53 characters. */
const admissionName = (release: string): string => `${release}-admission`
