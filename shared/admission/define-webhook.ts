import type { WebhookDefinition, WebhookOptions } from './webhook-definition.ts'

/**
 * Defines an admission function: which objects an API server shows it before it stores them, and what it answers.
 * `functions/<provider>/<webhooks|admission>/<name>/webhook.ts` exports what this returns as `definition`.
 */
export const defineWebhook = (options: WebhookOptions): WebhookDefinition => ({
  failurePolicy: options.target === 'shoot' ? 'Ignore' : 'Fail',
  timeoutSeconds: 10,
  reinvocationPolicy: 'Never',
  deleting: false,
  permissions: [],
  ...options,
  place: undefined,
})
