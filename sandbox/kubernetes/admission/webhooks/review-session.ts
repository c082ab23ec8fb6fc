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

/** A review that has to be answered before the request can go on. */
export class ReviewNeeded extends Error {
  override readonly name = 'ReviewNeeded'
  readonly webhook: RegisteredWebhook
  readonly request: AdmissionRequest
  /** Takes the answer. */
  readonly answer: (response: WebhookResponse) => void

  constructor(
    webhook: RegisteredWebhook,
    request: AdmissionRequest,
    answer: (response: WebhookResponse) => void,
  ) {
    super(`${webhook.name} has to be asked`)
    this.webhook = webhook
    this.request = request
    this.answer = answer
  }
}

/** The webhooks within one request of a client. */
export interface ReviewSession {
  readonly mutate: Mutation
  readonly validate: Admission
  /** What webhooks have said so far, for the client. */
  readonly warnings: () => readonly string[]
}

interface SessionSources {
  readonly store: Store
  readonly registry: Registry
  readonly matchConditions: MatchConditions
}

/** Nothing asks about those who are asked: a wrong one could never be mended. */
const exempt = new Set(
  [
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ].map(plural => `${plural}.admissionregistration.k8s.io`),
)

/**
 * Webhooks answer in their own time, and writes are done at once. So a request that needs an answer breaks off with
 * `ReviewNeeded` before it has written anything, and is made again when the answer is there. An answer counts for the very
 * same question alone: what somebody else has changed meanwhile is asked about anew, as kube-apiserver does.
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
      /** Those that want to see what others do after them: as far as they were asked, and of these whom it concerns. */
      const before = new Set<RegisteredWebhook>()
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
