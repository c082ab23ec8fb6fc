import type { Cluster } from '../contract/objects.ts'
import { parsedJson, valueAt } from '../decode/record-of.ts'
import { secrets } from '../kubernetes/core-resources.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../resources/resources.ts'
import {
  configurationOfShoot,
  shootPath,
  type WebhookConfiguration,
} from '../webhooks/admission/admission.ts'
import { resourceNames } from './resource-names.ts'

/** The webhook configuration of shoots. */
export interface ShootWebhooks {
  /** The configuration of all shoots of a component, without the shoot. */
  readonly configuration: WebhookConfiguration
  /** The key by which a shoot's API server identifies its shoot (`shootPath`). Secret. */
  readonly pathKey: Uint8Array
}

/**
 * Returns the name of the Secret in which a component's webhook process stores the shoot configuration for the
 * ControlPlane function. It is in the namespace of the process.
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

/** Returns undefined without webhooks for shoots. Throws if the Secret has other content. */
export const readShootWebhooks = async (
  kubernetes: Pick<Kubernetes, 'get'>,
  key: ObjectKey,
): Promise<ShootWebhooks | undefined> => {
  const found = await kubernetes.get(secrets, key)
  if (found === undefined) return undefined
  const configuration = parsedJson(bytesIn(found, keys.configuration).toString())
  const pathKey = pathKeyIn(found)
  if (!isConfiguration(configuration) || pathKey === undefined)
    throw new TypeError(`the Secret ${key.namespace}/${key.name} contains no webhooks of shoots`)
  return { configuration, pathKey }
}

/** Returns undefined without a usable key. */
export const pathKeyIn = (secret: KubernetesObject | undefined): Uint8Array | undefined => {
  const key = secret && bytesIn(secret, keys.pathKey)
  return key && key.length >= pathKeyBytes ? key : undefined
}

/** Minimum length of a key in bytes. */
export const pathKeyBytes = 32

const bytesIn = ({ data }: KubernetesObject, key: string): Buffer =>
  Buffer.from(String(Object(data)[key] ?? ''), 'base64')

/** The ManagedResource with a shoot's configuration (docs/contract/control-plane.md#managedresources). */
export const shootWebhooksResource = (
  { configuration, pathKey }: ShootWebhooks,
  namespace: string,
): DesiredManagedResource => ({
  name: resourceNames.webhooks,
  namespace,
  key: 'data.yaml.br',
  objects: [configurationOfShoot(configuration, shootPath(pathKey, namespace))],
})

/**
 * Returns true if the control plane runs on the shoot's nodes. Its API server is then the seed's, which already calls
 * the webhooks.
 */
export const isSelfHosted = ({ spec: { shoot } }: Cluster): boolean =>
  (shoot.spec?.provider?.workers ?? []).some(worker => Object(worker).controlPlane != null)

const isConfiguration = (value: unknown): value is WebhookConfiguration =>
  valueAt(value, 'kind') === 'MutatingWebhookConfiguration' && Array.isArray(valueAt(value, 'webhooks'))
