import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookDefinition } from '../webhook-definition.ts'

// docs/contract/webhooks.md#registrations

/** The Service through which API servers reach the component: `gardener-extension-provider-aws`. */
export const serviceNameOf = (component: string): string => `gardener-extension-${component}`

/**
 * Returns the name of the configurations: the Service's name, with the suffix `-runtime` in a namespace
 * `runtime-extension-…`. If the garden's runtime cluster is also a seed, it has both extensions.
 */
export const configurationName = (component: string, namespace: string): string =>
  namespace.startsWith('runtime-extension-')
    ? `${serviceNameOf(component)}-runtime`
    : serviceNameOf(component)

export const shootConfigurationName = (component: string, namespace: string): string =>
  `${configurationName(component, namespace)}-shoot`

/**
 * Distinguishes the webhooks of components in names and paths: `provider-aws` → `aws`, `admission-aws` is unchanged.
 */
const shortName = (component: string): string => component.replace(/^provider-/, '')

/** `controlplane.aws.extensions.gardener.cloud` */
export const webhookName = ({ name, component }: Pick<WebhookDefinition, 'name' | 'component'>): string =>
  `${name}.${shortName(component)}.extensions.gardener.cloud`

/** `/aws/controlplane`. The caller's proof follows; in a shoot, the namespace of its control plane precedes it. */
export const webhookPath = ({ name, component }: Pick<WebhookDefinition, 'name' | 'component'>): string =>
  `/${shortName(component)}/${name}`

/**
 * Returns the identity and names of the certificates: `gardener-extension-provider-aws-webhook`
 * (docs/contract/secrets-manager.md#certificates-of-webhooks).
 */
export const certificateNames = (component: string) => ({
  identity: `${serviceNameOf(component)}-webhook`,
  authority: `ca-${component}-webhook`,
  server: `${component}-webhook-server`,
})

/** Minimum length of a key in bytes. A shorter key is refused. */
const keyBytes = 32

/**
 * The last segment of a webhook's path proves that the caller is the API server of the seed or the garden. Only the
 * webhook configuration contains it, and only operators can read that. Without the proof, every pod that reaches the
 * process could ask about any object (docs/decisions/0050-what-webhooks-change.md).
 *
 * Hexadecimal: kube-apiserver refuses the path of a Service if a segment contains a capital or an underscore.
 *
 * @param path the path of the webhook, from `webhookPath`
 */
export const clusterProof = (key: Uint8Array, path: string): string =>
  hmac(key, clusterText(path)).toString('hex')

/** @param keys all valid keys; during a rotation also the former key */
export const isClusterProof = (keys: readonly Uint8Array[], path: string, proof: string): boolean =>
  isProof(keys, clusterText(path), proof, 'hex')

const clusterText = (path: string): string => `webhooks of a cluster\n${path}`

/**
 * Returns the end of the path for the shoot with this namespace in the seed: `<namespace>/<proof>`. Only the key's
 * owner can create the proof, so an API server can name only its shoot, wherever it calls from
 * (docs/decisions/0050-what-webhooks-change.md). The user of a shoot can read the path there, but gains no other
 * identity by it. The process stores the key.
 */
export const shootPath = (key: Uint8Array, namespace: string): string =>
  `${namespace}/${hmac(key, shootText(namespace)).toString('base64url')}`

/**
 * Returns the namespace that this end of a path proves, or undefined if it proves none.
 *
 * @param keys all valid keys; during a rotation also the former key
 */
export const readShootPath = (keys: readonly Uint8Array[], path: string): string | undefined => {
  const [namespace = '', proof = '', ...rest] = path.split('/')
  if (namespace === '' || rest.length > 0) return undefined
  return isProof(keys, shootText(namespace), proof, 'base64url') ? namespace : undefined
}

const shootText = (namespace: string): string => `webhooks of a shoot\n${namespace}`

const isProof = (
  keys: readonly Uint8Array[],
  text: string,
  proof: string,
  encoding: 'hex' | 'base64url',
): boolean => {
  const given = Buffer.from(proof, encoding)
  // Several texts decode to the same bytes. Only the canonical one is a proof.
  if (given.toString(encoding) !== proof) return false
  return keys.some(key => {
    const expected = hmac(key, text)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
}

const hmac = (key: Uint8Array, text: string): Buffer => {
  if (key.length < keyBytes)
    throw new RangeError(`the key for paths of webhooks is too short: expected at least ${keyBytes} bytes`)
  return createHmac('sha256', key).update(text).digest()
}
