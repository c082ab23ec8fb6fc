import type { Clock } from '../../shared/clock/clock.ts'
import {
  type HttpMessage,
  MalformedEventError,
  type Post,
  type PostAnswer,
  parseRetryAfter,
} from '../../shared/events/events.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { type BrokeredEvent, readMessage, writeMessage } from './http-binding.ts'
import type { Limiter } from './limiter.ts'
import type { Delivery } from './manifests.ts'
import { isRetried, type Profile, retryDelay } from './profile.ts'

/** The result of one attempt. `retryInMs` is set if another attempt follows. */
export interface DeliveryAttempt {
  /** Starts at 1. */
  readonly attempt: number
  /** Absent: no response was received. */
  readonly status?: number
  /** Set when the attempt failed. */
  readonly reason?: string
  readonly retryInMs?: number
}

export type DeliveryEnd =
  | { readonly kind: 'delivered'; readonly reply?: BrokeredEvent }
  | {
      readonly kind: 'failed'
      readonly status?: number
      readonly reason: string
      readonly body?: Uint8Array
      /** The event was refused, and there are no more attempts. */
      readonly refused: boolean
    }

export interface DeliverInput {
  readonly event: BrokeredEvent
  /**
   * Returns the subscriber's URL. Called before each attempt, because it may have changed. A rejection is a failed
   * attempt. It may take any time.
   */
  readonly target: () => Promise<string>
  /** Called when an attempt at a URL from `target` has ended, with any outcome. */
  readonly onAnswered?: () => void
  /** Namespace of the Trigger, for the `Kn-Namespace` header. */
  readonly namespace: string
  readonly delivery: Delivery
  /** Time in ms after which the Service's own proxy cancels a request. */
  readonly cutAfterMs?: number | undefined
  /** Limits the concurrent attempts at the subscriber. */
  readonly limiter?: Limiter | undefined
  readonly onAttempt: (attempt: DeliveryAttempt) => void
  readonly signal: AbortSignal
}

export interface DeliverDeps {
  readonly clock: Clock
  readonly profile: Profile
  /** Returns a way to subscribers with this timeout for each exchange, in ms. */
  readonly postWithin: (timeoutMs: number) => Post
}

/**
 * Delivers one event to one subscriber, with the retries of its delivery spec. Rejects only with the signal's reason.
 */
export const deliver = async (
  input: DeliverInput,
  { clock, profile, postWithin }: DeliverDeps,
): Promise<DeliveryEnd> => {
  const { event, target, delivery, limiter, onAttempt, onAnswered, signal } = input
  const timeoutMs = Math.min(
    profile.attemptMs(delivery.timeout) ?? Number.POSITIVE_INFINITY,
    input.cutAfterMs ?? Number.POSITIVE_INFINITY,
  )
  const post = postWithin(Math.min(timeoutMs, Number.MAX_SAFE_INTEGER))
  const message = httpMessageOf(event, delivery, input.namespace)

  for (let attempt = 1; ; attempt++) {
    const send = (url: string) =>
      followRedirects(at => post(at, message, signal), url, profile.redirects).finally(onAnswered)
    const once = () => attemptOnce(() => unlessAborted(target(), signal).then(send), profile, signal)
    const result = await (limiter ? limiter.run(once, signal) : once())
    const status = result.status === undefined ? {} : { status: result.status }
    if (result.kind === 'delivered') {
      onAttempt({ attempt, ...status })
      return result.reply === undefined ? { kind: 'delivered' } : { kind: 'delivered', reply: result.reply }
    }
    const { reason, body } = result
    if (!result.again || attempt > delivery.retry) {
      onAttempt({ attempt, ...status, reason })
      return {
        kind: 'failed',
        ...status,
        reason,
        ...(body === undefined ? {} : { body }),
        refused: !result.again,
      }
    }
    const retryAfterMs = parseRetryAfter(result.retryAfter, clock.now())
    const retryInMs = retryDelay(profile, delivery, attempt, retryAfterMs)
    onAttempt({ attempt, ...status, reason, retryInMs })
    await clock.sleep(retryInMs, signal)
  }
}

const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** As Go's client: one redirect too many is an error, and the last answer if the address is missing. */
const followRedirects = async (
  post: (url: string) => Promise<PostAnswer>,
  url: string,
  most: number,
): Promise<PostAnswer> => {
  const answer = await post(url)
  const { location } = answer.headers
  if (most === 0 || !redirectStatus.has(answer.status) || typeof location !== 'string') return answer
  if (most === 1) throw new Error('too many redirects')
  return followRedirects(post, new URL(location, url).href, most - 1)
}

/** Rejects as soon as the signal aborts; the promise itself is not cancelled. */
const unlessAborted = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort))
}

type AttemptResult =
  | { readonly kind: 'delivered'; readonly status: number; readonly reply?: BrokeredEvent }
  | {
      readonly kind: 'failed'
      readonly again: boolean
      readonly status?: number
      readonly reason: string
      readonly retryAfter?: string | readonly string[] | undefined
      readonly body?: Uint8Array
    }

const attemptOnce = async (
  post: () => Promise<PostAnswer>,
  profile: Profile,
  signal: AbortSignal,
): Promise<AttemptResult> => {
  let answer: PostAnswer
  try {
    answer = await post()
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'failed', again: true, reason: messageOf(error) }
  }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return readReply(answer, profile)
  const again = isRetried(profile, status)
  if (!again && profile.refusal === 'success') return { kind: 'delivered', status }
  return {
    kind: 'failed',
    again,
    status,
    reason: `the subscriber answered ${status}`,
    body,
    retryAfter: status === 429 || status === 503 ? headers['retry-after'] : undefined,
  }
}

/**
 * A 2xx may contain an event, which is returned to the broker, or nothing. Anything else is an error of the subscriber.
 */
const readReply = ({ status, headers, body }: PostAnswer, profile: Profile): AttemptResult => {
  const isEvent =
    headers['ce-specversion'] !== undefined ||
    String(headers['content-type']).startsWith('application/cloudevents')
  if (!isEvent && body.length === 0) return { kind: 'delivered', status }
  let problem = 'the body is not an event'
  if (isEvent) {
    try {
      return { kind: 'delivered', status, reply: readMessage({ headers, body }) }
    } catch (error) {
      if (!(error instanceof MalformedEventError)) throw error
      problem = error.message
    }
  }
  if (profile.nonEventReply === 'success') return { kind: 'delivered', status }
  return {
    kind: 'failed',
    again: profile.nonEventReply === 'retry',
    status,
    reason: `the subscriber answered ${status} with a body: ${problem}`,
    body,
  }
}

const httpMessageOf = (event: BrokeredEvent, { format }: Delivery, namespace: string): HttpMessage => {
  const { headers, body } = writeMessage(event, format)
  return { headers: { ...headers, prefer: 'reply', 'kn-namespace': namespace }, body }
}
