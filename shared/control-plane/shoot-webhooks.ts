import { configurationOfShoot, type WebhookConfiguration } from '../admission/admission.ts'
import type { Cluster } from '../contract/objects.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ObjectKey,
} from '../kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../resources/resources.ts'
import { resourceNames } from './resource-names.ts'

/** By which the process of the webhooks hands the configuration for shoots to the ControlPlane function. */
export const configMaps: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
}

/** Of a component, in the namespace of the process. */
export const shootWebhooksName = (component: string): string =>
  `gardener-extension-${component}-shoot-webhooks`

const dataKey = 'configuration.json'

/** What the ConfigMap holds: the configuration of all shoots of the component, without which shoot it is. */
export const shootWebhooksData = (configuration: WebhookConfiguration): Readonly<Record<string, string>> => ({
  [dataKey]: JSON.stringify(configuration),
})

/** Undefined: nobody has webhooks for shoots. Throws where the ConfigMap holds something else. */
export const readShootWebhooks = async (
  kubernetes: Pick<Kubernetes, 'get'>,
  key: ObjectKey,
): Promise<WebhookConfiguration | undefined> => {
  const found = await kubernetes.get(configMaps, key)
  return found && shootWebhooksIn(found)
}

export const shootWebhooksIn = ({ metadata, data }: KubernetesObject): WebhookConfiguration => {
  const text: unknown = Object(data)[dataKey]
  const value: unknown = parsed(String(text))
  if (!isConfiguration(value))
    throw new TypeError(
      `the ConfigMap ${metadata.namespace}/${metadata.name} holds no configuration of webhooks under ${dataKey}`,
    )
  return value
}

/** The ManagedResource by which a shoot gets the configuration (docs/contract/control-plane.md#managedresources). */
export const shootWebhooksResource = (
  configuration: WebhookConfiguration,
  namespace: string,
): DesiredManagedResource => ({
  name: resourceNames.webhooks,
  namespace,
  key: 'data.yaml.br',
  objects: [configurationOfShoot(configuration, namespace)],
})

/** Whether its control plane runs on its own nodes: then its API server is the seed's, which is asked anyway. */
export const isSelfHosted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).some(worker => Object(worker).controlPlane != null)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isConfiguration = (value: unknown): value is WebhookConfiguration =>
  typeof value === 'object' &&
  value !== null &&
  Reflect.get(value, 'kind') === 'MutatingWebhookConfiguration' &&
  Array.isArray(Reflect.get(value, 'webhooks'))
