import type { Clock } from '../../../../shared/clock/clock.ts'
import type { ApiContext } from '../../requests/api-context.ts'
import type { ApiResponse } from '../../requests/api-request.ts'
import { warningHeader } from '../../requests/warning-header.ts'
import { callWebhook, type ResolveWebhook } from './call-webhook.ts'
import { createMatchConditions } from './match-conditions.ts'
import type { WebhookResponse } from './read-answer.ts'
import { hasWebhooks } from './registered-webhook.ts'
import { reviewDocument } from './review-document.ts'
import { createReviewSession, ReviewNeeded } from './review-session.ts'

/** A completed review, for observers. */
export interface AskedReview {
  readonly webhook: string
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
  readonly operation: string
  readonly outcome: 'allowed' | 'changed' | 'denied' | 'failed'
  /** The reason of a denial or failure. */
  readonly why?: string
}

export interface WebhookAdmissionOptions {
  readonly context: ApiContext
  readonly clock: Clock
  readonly resolve: ResolveWebhook
  readonly onReview: (review: AskedReview) => void
}

/**
 * Creates a function that runs requests with the registered webhooks. Without webhooks it runs a request at once and
 * synchronously.
 *
 * @param act runs the request with this context, and discards everything it has begun if it aborts
 * @param failed returns the response for a thrown error
 */
export const createWebhookAdmission = ({ context, clock, resolve, onReview }: WebhookAdmissionOptions) => {
  const matchConditions = createMatchConditions()
  return (
    act: (context: ApiContext) => ApiResponse,
    failed: (error: unknown) => ApiResponse,
  ): ApiResponse | Promise<ApiResponse> => {
    if (!hasWebhooks(context.store)) return act(context)
    const session = createReviewSession({ ...context, matchConditions })
    const steady: ApiContext = {
      ...inOneMoment(context),
      webhooks: session,
    }
    const attempt = (): ApiResponse => {
      try {
        return act(steady)
      } catch (error) {
        if (error instanceof ReviewNeeded) throw error
        return failed(error)
      }
    }
    return (async () => {
      for (;;) {
        try {
          return warningHeader(attempt(), session.warnings())
        } catch (error) {
          if (!(error instanceof ReviewNeeded)) throw error
          const uid = context.newUid()
          const { webhook, request } = error
          const response = await callWebhook(webhook, reviewDocument(request, uid), uid, { clock, resolve })
          error.answer(response)
          const { type, namespace, name, operation } = request
          const about = { webhook: webhook.name, kind: type.kind, namespace, name, operation }
          onReview({ ...about, ...outcomeOf(response) })
        }
      }
    })()
  }
}

/** Fixes the generated values of an object, so that a repeated request produces the same ones. */
const inOneMoment = (context: ApiContext): ApiContext => {
  const now = context.clock.now()
  const once = <T>(make: () => T): (() => T) => {
    let made: { readonly value: T } | undefined
    return () => {
      made ??= { value: make() }
      return made.value
    }
  }
  return {
    ...context,
    clock: { ...context.clock, now: () => now },
    newUid: once(context.newUid),
    newSuffix: once(context.newSuffix),
  }
}

const outcomeOf = (response: WebhookResponse): Pick<AskedReview, 'outcome' | 'why'> => {
  if (response.is === 'denied')
    return { outcome: 'denied', why: String(response.status.message ?? response.status.reason ?? '') }
  if (response.is !== 'allowed') return { outcome: 'failed', why: response.why }
  const { patch } = response
  return { outcome: Array.isArray(patch) && patch.length > 0 ? 'changed' : 'allowed' }
}
