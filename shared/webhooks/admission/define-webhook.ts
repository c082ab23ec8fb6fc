import * as z from 'zod'
import { callPlaceOf } from '../../runtime/definition-checks.ts'
import { DefinitionError } from '../../runtime/runtime.ts'
import { madeByDefineWebhook, type WebhookDefinition, type WebhookOptions } from './webhook-definition.ts'
import { webhookProblems } from './webhook-problems.ts'

/**
 * Defines an admission function: the objects that an API server sends it before it stores them, and its answer.
 * `functions/<provider>/<webhooks|admission>/<name>/webhook.ts` exports the result as `definition`.
 *
 * Throws a `DefinitionError` with file and line if the definition is invalid.
 *
 * @example
 * const plural = 'persistentvolumeclaims'
 * export const definition = defineWebhook({
 *   name: 'seed-volumes',
 *   component: 'provider-acme',
 *   action: 'mutate',
 *   target: 'seed',
 *   resources: [{ group: '', versions: ['v1'], plural, kind: 'PersistentVolumeClaim' }],
 *   review: async ({ object }) => ({
 *     changed: { ...object, spec: { ...Object(object.spec), storageClassName: 'fast' } },
 *   }),
 * })
 */
export const defineWebhook = <S extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  options: WebhookOptions<S>,
): WebhookDefinition => {
  const place = callPlaceOf(defineWebhook)
  const problems = webhookProblems(options)
  if (problems.length > 0) throw new DefinitionError(problems.map(message => ({ place, message })))
  const definition: WebhookDefinition = {
    failurePolicy: options.target === 'shoot' ? 'Ignore' : 'Fail',
    timeoutSeconds: 10,
    reinvocationPolicy: 'Never',
    deleting: false,
    matchConditions: [],
    permissions: [],
    settings: z.object({}),
    ...options,
    // The settings of a process are parsed with this same schema.
    review: options.review as WebhookDefinition['review'],
    place,
  }
  return Object.defineProperty(definition, madeByDefineWebhook, { value: true })
}
