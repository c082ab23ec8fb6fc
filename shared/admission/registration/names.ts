import type { WebhookDefinition } from '../webhook-definition.ts'

// docs/contract/webhooks.md#registrations

/** Of the Service by which API servers reach it, and of its configurations: `gardener-extension-provider-aws`. */
export const serviceNameOf = (component: string): string => `gardener-extension-${component}`

/** Of the configuration in shoots. */
export const shootConfigurationName = (component: string): string => `${serviceNameOf(component)}-shoot`

/** What tells the webhooks of components apart, in names and paths: `provider-aws` → `aws`, `admission-aws` stays. */
const shortName = (component: string): string => component.replace(/^provider-/, '')

/** `controlplane.aws.extensions.gardener.cloud` */
export const webhookName = ({ name, component }: Pick<WebhookDefinition, 'name' | 'component'>): string =>
  `${name}.${shortName(component)}.extensions.gardener.cloud`

/** `/aws/controlplane`; in a shoot the namespace of its control plane follows. */
export const webhookPath = ({ name, component }: Pick<WebhookDefinition, 'name' | 'component'>): string =>
  `/${shortName(component)}/${name}`

/** Whose certificates they are: `gardener-extension-provider-aws-webhook` (docs/contract/secrets-manager.md#certificates-of-webhooks). */
export const certificateNames = (component: string) => ({
  identity: `${serviceNameOf(component)}-webhook`,
  authority: `ca-${component}-webhook`,
  server: `${component}-webhook-server`,
})
