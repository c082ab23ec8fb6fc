import * as z from 'zod'
import { madeByDefineWebhook, type WebhookDefinition, type WebhookOptions } from './webhook-definition.ts'

/**
 * Defines an admission function: which objects an API server shows it before it stores them, and what it answers.
 * `functions/<provider>/<webhooks|admission>/<name>/webhook.ts` exports what this returns as `definition`.
 */
export const defineWebhook = <S extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  options: WebhookOptions<S>,
): WebhookDefinition => {
  const definition: WebhookDefinition = {
    failurePolicy: options.target === 'shoot' ? 'Ignore' : 'Fail',
    timeoutSeconds: 10,
    reinvocationPolicy: 'Never',
    deleting: false,
    permissions: [],
    settings: z.object({}),
    ...options,
    // The settings of a process come from this very schema.
    review: options.review as WebhookDefinition['review'],
    place: undefined,
  }
  return Object.defineProperty(definition, madeByDefineWebhook, { value: true })
}
