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

/** Returns the name of the configuration in shoots. */
export const shootConfigurationName = (component: string, namespace: string): string =>
  `${configurationName(component, namespace)}-shoot`

/**
 * Distinguishes the webhooks of components in names and paths: `provider-aws` → `aws`, `admission-aws` is unchanged.
 */
const shortName = (component: string): string => component.replace(/^provider-/, '')

/** `controlplane.aws.extensions.gardener.cloud` */
export const webhookName = ({ name, component }: Pick<WebhookDefinition, 'name' | 'component'>): string =>
  `${name}.${shortName(component)}.extensions.gardener.cloud`

/** `/aws/controlplane`. The caller's proof follows; in a shoot, the namespace of its control plane precedes the proof. */
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
