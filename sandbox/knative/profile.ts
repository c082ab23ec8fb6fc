import type { Delivery } from './manifests.ts'

const profileNames = ['in-memory', 'kafka', 'rabbitmq'] as const
export type ProfileName = (typeof profileNames)[number]

/**
 * Where the brokers differ. They agree that 5xx, 404, 408, 409, 429 and a broken connection are retried. Read in
 * knative/eventing 8cf4c4b6 (in-memory: pkg/kncloudevents/retries.go, pkg/broker/filter), in
 * knative-extensions/eventing-kafka-broker 7d8fe89f (WebClientCloudEventSender, RecordDispatcherImpl) and in
 * knative-extensions/eventing-rabbitmq bd1ee997 (pkg/dispatcher).
 */
export interface Profile {
  /** The waits count from here: the first exponential one is `backoffDelay * 2^firstRetry`, linear `* firstRetry`. */
  readonly firstRetry: 0 | 1
  /** Any other 4xx, and 3xx. */
  readonly refusal: 'dead-letter' | 'success'
  /** A 2xx whose body is no event. */
  readonly nonEventReply: 'retry' | 'dead-letter' | 'success'
  /** Retry-After of a 429 or 503, up to the delivery's `retryAfterMax` (an opt-in feature). */
  readonly retryAfter: boolean
  /**
   * Whether the ingress answers only when every delivery has ended, retries included, and cuts them when whoever sent
   * the event hangs up: so the in-memory channel does, unless the Broker is annotated otherwise (`asyncHandler`).
   */
  readonly synchronous: boolean
  /** ms, when the delivery has none; undefined: it waits for ever. */
  readonly defaultTimeoutMs: number | undefined
}

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  'in-memory': {
    firstRetry: 0,
    refusal: 'dead-letter',
    // The filter turns it into a 502, which the channel retries.
    nonEventReply: 'retry',
    retryAfter: true,
    synchronous: true,
    defaultTimeoutMs: undefined,
  },
  kafka: {
    firstRetry: 1,
    refusal: 'dead-letter',
    nonEventReply: 'dead-letter',
    retryAfter: false,
    synchronous: false,
    defaultTimeoutMs: 600_000,
  },
  rabbitmq: {
    firstRetry: 1,
    // What is not to be retried counts as delivered.
    refusal: 'success',
    nonEventReply: 'success',
    retryAfter: false,
    synchronous: false,
    defaultTimeoutMs: undefined,
  },
}

/** `"true"` on a Broker: the in-memory channel answers before it delivers. */
export const asyncHandler = 'messaging.knative.dev/async-handler'

/** Whether every broker retries after this status. */
export const isRetried = (status: number): boolean => status >= 500 || [404, 408, 409, 429].includes(status)

/** Milliseconds before a retry; `retry` counts from 1. */
export const retryDelay = (
  profile: Profile,
  delivery: Delivery,
  retry: number,
  retryAfterMs: number | undefined,
): number => {
  const step = profile.firstRetry + retry - 1
  const backoff = (delivery.backoffDelay ?? 0) * (delivery.backoffPolicy === 'linear' ? step : 2 ** step)
  const asked =
    profile.retryAfter && delivery.retryAfterMax !== undefined && retryAfterMs !== undefined
      ? Math.min(retryAfterMs, delivery.retryAfterMax)
      : 0
  return Math.max(backoff, asked)
}
