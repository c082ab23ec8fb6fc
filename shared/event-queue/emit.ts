import type { ExtensionEvent, Send, SendOutcome } from '../events/events.ts'
import { messageOf } from '../text/message-of.ts'

/** The result of a request: a rejection is either retried, or parks the event. */
export type SendResult =
  | Exclude<SendOutcome, { kind: 'rejected' }>
  | { readonly kind: 'park'; readonly status: number; readonly reason: string }

/**
 * Besides redirects: answers about the address, the sender's token or the moment, and not about the event, such as a
 * broker or a trust that does not exist yet. Every event gets them, so giving up on one would lose it for no reason.
 */
const aboutTheSink = new Set([401, 403, 404, 405, 407, 410, 421])
/** Operators fix these, which takes a while. */
const slowRetryMs = 15_000
/**
 * The upper limit for a sink's Retry-After: twice the longest backoff of the bridge. A larger limit would let a sink,
 * or a proxy in front of it, silence an object.
 */
const longestRetryAfterMs = 60_000

export const sendResultOf = (outcome: SendOutcome): SendResult => {
  if (outcome.kind === 'retry')
    return { ...outcome, afterMs: Math.min(outcome.afterMs ?? 0, longestRetryAfterMs) }
  if (outcome.kind !== 'rejected') return outcome
  const { status, reason } = outcome
  return aboutTheSink.has(status) || status < 400
    ? { kind: 'retry', afterMs: slowRetryMs, status, reason }
    : { kind: 'park', status, reason }
}

/** Sends the event; a `send` that throws counts as failed. */
export const emit = async (send: Send, event: ExtensionEvent, signal: AbortSignal): Promise<SendResult> => {
  try {
    return sendResultOf(await send(event, signal))
  } catch (error) {
    return { kind: 'retry', reason: messageOf(error) }
  }
}
