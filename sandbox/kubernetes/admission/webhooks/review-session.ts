import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { jsonPatch } from '../../patch/json-patch.ts'
import { ApiError } from '../../requests/api-error.ts'
import type { Registry } from '../../resources/registry.ts'
import { resourceName } from '../../resources/resource-definition.ts'
import type { Store } from '../../store/store.ts'
import { conform } from '../../write/conform.ts'
import { asObject } from '../../write/decode-object.ts'
import type { Admission, AdmissionRequest, Mutation } from '../admission.ts'
import { isAsked } from './is-asked.ts'
import type { MatchConditions } from './match-conditions.ts'
import type { WebhookResponse } from './read-answer.ts'
import { brokenPatch, deniedBy, failedCalling, noDryRun } from './refusals.ts'
import { type RegisteredWebhook, registeredWebhooks } from './registered-webhook.ts'

/** A review that must be answered before the request can continue. */
export class ReviewNeeded extends Error {
  override readonly name = 'ReviewNeeded'
  readonly webhook: RegisteredWebhook
  readonly request: AdmissionRequest
  readonly answer: (response: WebhookResponse) => void

  constructor(
    webhook: RegisteredWebhook,
    request: AdmissionRequest,
    answer: (response: WebhookResponse) => void,
  ) {
    super(`${webhook.name} must be called`)
    this.webhook = webhook
    this.request = request
    this.answer = answer
  }
}

/** The webhook calls within one client request. */
export interface ReviewSession {
  readonly mutate: Mutation
  readonly validate: Admission
  /** Returns the warnings of the webhooks so far, for the client. */
  readonly warnings: () => readonly string[]
}

interface SessionSources {
  readonly store: Store
  readonly registry: Registry
  readonly matchConditions: MatchConditions
}

/** Webhooks are never called for webhook configurations: a broken one could not be repaired. */
const exempt = new Set(
  [
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ].map(plural => `${plural}.admissionregistration.k8s.io`),
)

/**
 * Webhooks respond asynchronously, but writes are synchronous. So a request that needs a response aborts with
 * `ReviewNeeded` before it has written anything, and is repeated when the response arrives. A response is valid only
 * for an identical review. If another client changes the object meanwhile, the webhook is called again, as in
 * kube-apiserver.
 */
export const createReviewSession = ({ store, registry, matchConditions }: SessionSources): ReviewSession => {
  const answers = new Map<string, WebhookResponse>()

  const ask = (webhook: RegisteredWebhook, request: AdmissionRequest, round = 0): WebhookResponse => {
    if (request.dryRun && !['None', 'NoneOnDryRun'].includes(webhook.sideEffects))
      throw noDryRun(webhook.name)
    const { type: _, ...about } = request
    const question = JSON.stringify([webhook, round, about])
    const response = answers.get(question)
    if (response === undefined)
      throw new ReviewNeeded(webhook, request, given => answers.set(question, given))
    if (response.is === 'denied') throw deniedBy(webhook.name, response.status)
    if (response.is === 'failed' && webhook.failurePolicy === 'Fail')
      throw failedCalling(webhook.name, response.why)
    if (response.is === 'broken') throw brokenPatch(response.why)
    return response
  }

  const asked = (webhook: RegisteredWebhook, request: AdmissionRequest): boolean =>
    !exempt.has(resourceName(request.type)) &&
    isAsked(webhook, request, store) &&
    matchConditions(webhook, request)

  const patched = (request: AdmissionRequest, object: KubernetesObject, patch: unknown): KubernetesObject => {
    const served = registry.find(request.type.group, request.version, request.type.plural)
    if (!served) return object
    try {
      const options = { fieldValidation: 'Ignore' as const, warnings: [] }
      return conform(asObject(jsonPatch(object, patch), served), served, options)
    } catch (error) {
      throw error instanceof ApiError ? brokenPatch(error.message) : error
    }
  }

  return {
    mutate: request => {
      const webhooks = registeredWebhooks(store, 'mutate')
      let { object } = request
      /** Called webhooks that want to see later changes. */
      const before = new Set<RegisteredWebhook>()
      /** Those whose object has changed since their call. */
      const again = new Set<RegisteredWebhook>()
      for (const round of [0, 1]) {
        for (const webhook of webhooks) {
          const now = { ...request, object }
          if ((round === 1 && !again.has(webhook)) || !asked(webhook, now)) continue
          const response = ask(webhook, now, round)
          const next =
            response.is === 'allowed' && response.patch !== undefined
              ? patched(now, object, response.patch)
              : object
          if (round === 0 && !isDeepStrictEqual(next, object)) for (const one of before) again.add(one)
          if (webhook.reinvocationPolicy === 'IfNeeded') before.add(webhook)
          object = next
        }
      }
      return object
    },
    validate: request => {
      for (const webhook of registeredWebhooks(store, 'validate'))
        if (asked(webhook, request)) ask(webhook, request)
    },
    warnings: () => [
      ...new Set(
        [...answers.values()].flatMap(response => ('warnings' in response ? response.warnings : [])),
      ),
    ],
  }
}
