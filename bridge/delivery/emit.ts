import { messageOf } from '../../shared/contract/message-of.ts'
import type { ExtensionEvent, Send, SendOutcome } from '../../shared/events/events.ts'

/** What follows from the answer. */
export type SendResult =
  | { readonly kind: 'accepted' }
  /** The sink has it and says nothing. */
  | { readonly kind: 'unanswered'; readonly reason: string }
  | {
      readonly kind: 'retry'
      readonly afterMs: number
      readonly reason: string
      /** The sink's answer; absent: none came, the connection failed or broke. */
      readonly status?: number
      /** Why it was not reached. */
      readonly code?: string
    }
  | { readonly kind: 'park'; readonly status: number; readonly reason: string }

/**
 * Besides redirects: answers that speak about the address, the sender's token or the moment and not about the event: a broker that is not
 * there yet, a trust that is not set up yet. Every event gets them, so giving up on one would lose it for nothing.
 */
const aboutTheSink = new Set([401, 403, 404, 405, 407, 408, 410, 421, 425, 429])
/** Such things are put right by people, which takes a while. */
const slowRetryMs = 15_000
/**
 * The longest that a sink's Retry-After counts: twice the longest backoff that the bridge chooses itself. More would
 * let a sink, or whoever answers in its place, silence an object.
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

/** Sends the event; a `send` that throws counts as one that failed. */
export const emit = async (send: Send, event: ExtensionEvent, signal: AbortSignal): Promise<SendResult> => {
  try {
    return sendResultOf(await send(event, signal))
  } catch (error) {
    return { kind: 'retry', afterMs: 0, reason: messageOf(error) }
  }
}
