import type { WebhookDefinition } from '../webhook-definition.ts'

// docs/contract/webhooks.md#registrations

/** Of the Service by which API servers reach it: `gardener-extension-provider-aws`. */
export const serviceNameOf = (component: string): string => `gardener-extension-${component}`

/**
 * Of its configurations: as the Service. An extension of the garden's runtime cluster may be there beside the one of a seed, which
 * the same cluster is: in a namespace `runtime-extension-…` it ends with `-runtime`.
 */
export const configurationName = (component: string, namespace: string): string =>
  namespace.startsWith('runtime-extension-')
    ? `${serviceNameOf(component)}-runtime`
    : serviceNameOf(component)

/** Of the configuration in shoots. */
export const shootConfigurationName = (component: string, namespace: string): string =>
  `${configurationName(component, namespace)}-shoot`

/** What tells the webhooks of components apart, in names and paths: `provider-aws` → `aws`, `admission-aws` stays. */
const shortName = (component: string): string => component.replace(/^provider-/, '')

/** `controlplane.aws.extensions.gardener.cloud` */
export const webhookName = ({ name, component }: Pick<WebhookDefinition, 'name' | 'component'>): string =>
  `${name}.${shortName(component)}.extensions.gardener.cloud`

/** `/aws/controlplane`. The caller's proof follows; in a shoot, the namespace of its control plane precedes the proof. */
export const webhookPath = ({ name, component }: Pick<WebhookDefinition, 'name' | 'component'>): string =>
  `/${shortName(component)}/${name}`

/** Whose certificates they are: `gardener-extension-provider-aws-webhook` (docs/contract/secrets-manager.md#certificates-of-webhooks). */
export const certificateNames = (component: string) => ({
  identity: `${serviceNameOf(component)}-webhook`,
  authority: `ca-${component}-webhook`,
  server: `${component}-webhook-server`,
})
