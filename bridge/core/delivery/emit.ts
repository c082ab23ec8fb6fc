import type { ExtensionEvent, Send, SendOutcome } from '../../../shared/events/events.ts'
import { messageOf } from '../../../shared/text/message-of.ts'

/** The result of the answer. */
export type SendResult =
  | { readonly kind: 'accepted' }
  /** The sink has the event and does not answer. */
  | { readonly kind: 'unanswered'; readonly reason: string }
  | {
      readonly kind: 'retry'
      readonly afterMs: number
      readonly reason: string
      /** The sink's answer; absent if the connection failed or broke. */
      readonly status?: number
      /** Why the sink was unreachable. */
      readonly code?: string
    }
  | { readonly kind: 'park'; readonly status: number; readonly reason: string }

/**
 * Besides redirects: answers about the address, the sender's token or the moment, and not about the event, such as a
 * broker or a trust that does not exist yet. Every event gets them, so giving up on one would lose it for no reason.
 */
const aboutTheSink = new Set([401, 403, 404, 405, 407, 408, 410, 421, 425, 429])
/** Operators fix these, which takes a while. */
const slowRetryMs = 15_000
/**
 * The upper limit for a sink's Retry-After: twice the longest backoff of the bridge. A larger limit would let a sink,
 * or a proxy in front of it, silence an object.
 */
const longestRetryAfterMs = 60_000

export const sendResultOf = (outcome: SendOutcome): SendResult => {
  switch (outcome.kind) {
    case 'accepted':
    case 'unanswered':
      return outcome
    case 'retry':
      return { ...outcome, afterMs: Math.min(outcome.afterMs ?? 0, longestRetryAfterMs) }
    case 'rejected':
      return aboutTheSink.has(outcome.status) || outcome.status < 400
        ? { ...outcome, kind: 'retry', afterMs: slowRetryMs }
        : { kind: 'park', status: outcome.status, reason: outcome.reason }
  }
}

/** Sends the event; a `send` that throws counts as failed. */
export const emit = async (send: Send, event: ExtensionEvent, signal: AbortSignal): Promise<SendResult> => {
  try {
    return sendResultOf(await send(event, signal))
  } catch (error) {
    return { kind: 'retry', afterMs: 0, reason: messageOf(error) }
  }
}
