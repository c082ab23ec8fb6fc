import type { Cluster } from '../contract/objects.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../resources/resources.ts'
import {
  configurationOfShoot,
  shootPath,
  type WebhookConfiguration,
} from '../webhooks/admission/admission.ts'
import { secrets } from './core-resources.ts'
import { resourceNames } from './resource-names.ts'

/** What shoots are told of webhooks. */
export interface ShootWebhooks {
  /** Of all shoots of a component: without which shoot it is. */
  readonly configuration: WebhookConfiguration
  /** By which a shoot's API server proves which one it is (`shootPath`). Secret. */
  readonly pathKey: Uint8Array
}

/**
 * The Secret by which the process of the webhooks hands over to the ControlPlane function what shoots are told; of a component,
 * in the namespace of the process.
 */
export const shootWebhooksName = (component: string): string =>
  `gardener-extension-${component}-shoot-webhooks`

const keys = { configuration: 'configuration.json', pathKey: 'path.key' } as const

export const shootWebhooksData = ({
  configuration,
  pathKey,
}: ShootWebhooks): Readonly<Record<string, string>> => ({
  [keys.configuration]: Buffer.from(JSON.stringify(configuration)).toString('base64'),
  [keys.pathKey]: Buffer.from(pathKey).toString('base64'),
})

/** Undefined: nobody has webhooks for shoots. Throws where the Secret holds something else. */
export const readShootWebhooks = async (
  kubernetes: Pick<Kubernetes, 'get'>,
  key: ObjectKey,
): Promise<ShootWebhooks | undefined> => {
  const found = await kubernetes.get(secrets, key)
  if (found === undefined) return undefined
  const configuration: unknown = parsed(bytesIn(found, keys.configuration).toString())
  const pathKey = pathKeyIn(found)
  if (!isConfiguration(configuration) || pathKey === undefined)
    throw new TypeError(`the Secret ${key.namespace}/${key.name} holds no webhooks of shoots`)
  return { configuration, pathKey }
}

/** Undefined: there is none that could be used. */
export const pathKeyIn = (secret: KubernetesObject | undefined): Uint8Array | undefined => {
  const key = secret && bytesIn(secret, keys.pathKey)
  return key && key.length >= pathKeyBytes ? key : undefined
}

/** Bytes of a key, at least. */
export const pathKeyBytes = 32

const bytesIn = ({ data }: KubernetesObject, key: string): Buffer =>
  Buffer.from(String(Object(data)[key] ?? ''), 'base64')

/** The ManagedResource by which a shoot gets the configuration (docs/contract/control-plane.md#managedresources). */
export const shootWebhooksResource = (
  { configuration, pathKey }: ShootWebhooks,
  namespace: string,
): DesiredManagedResource => ({
  name: resourceNames.webhooks,
  namespace,
  key: 'data.yaml.br',
  objects: [configurationOfShoot(configuration, shootPath(pathKey, namespace))],
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
