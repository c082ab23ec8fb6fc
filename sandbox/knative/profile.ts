import type { Delivery } from './manifests.ts'

export const profileNames = ['in-memory', 'kafka', 'rabbitmq', 'nats'] as const
export type ProfileName = (typeof profileNames)[number]

/**
 * Where the brokers differ. Read in knative/eventing 8cf4c4b6 (in-memory: pkg/kncloudevents/retries.go,
 * pkg/broker/filter, pkg/channel/fanout), in knative-extensions/eventing-kafka-broker 7d8fe89f
 * (WebClientCloudEventSender, RecordDispatcherImpl, UnorderedConsumerVerticle, OrderedConsumerVerticle,
 * IngressRequestHandlerImpl, config-kafka-broker-data-plane), in knative-extensions/eventing-rabbitmq bd1ee997
 * (pkg/dispatcher, pkg/rabbit, pkg/reconciler/trigger) and in knative-extensions/eventing-natss 03a34594
 * (pkg/channel/jetstream/dispatcher and utils, behind the ingress and the filter of knative/eventing).
 */
export interface Profile {
  /** The waits count from here: the first exponential one is `backoffDelay * 2^firstRetry`, linear `* firstRetry`. */
  readonly firstRetry: 0 | 1
  /** What is retried beside 5xx and a connection that breaks. */
  readonly retried: readonly number[]
  /** Any other 4xx, and 3xx. `dropped`: as a dead letter, which goes to no sink. */
  readonly refusal: 'dead-letter' | 'dropped' | 'success'
  /** A 2xx whose body is no event. */
  readonly nonEventReply: 'retry' | 'dead-letter' | 'success'
  /** Retry-After of a 429 or 503, up to the delivery's `retryAfterMax` (an opt-in feature). */
  readonly retryAfter: boolean
  /**
   * Whether the ingress answers only when every delivery has ended, retries included, and cuts them when whoever sent
   * the event hangs up: so the in-memory channel does, unless the Broker is annotated otherwise (`asyncHandler`).
   */
  readonly synchronous: boolean
  /** How long an attempt may last, in ms, by the delivery's `timeout`; undefined: for ever. */
  readonly attemptMs: (timeout: number | undefined) => number | undefined
  /** Whether Triggers may have `filters`; where not, only their `filter` counts. */
  readonly filters: boolean
  /** What the ingress answers to an event that is larger than its storage takes. */
  readonly tooLarge: number
  /** What a Trigger has under way at most, waits for retries included; 0: no limit. */
  readonly inFlight: (annotations: Readonly<Record<string, string>>) => number
  /** Events of an id that was taken so long ago at most (ms) are taken and not delivered; undefined: all are. */
  readonly duplicateWindowMs?: number
}

const manyAndConflicts = [404, 408, 409, 429]
/** The places of a worker are taken while it waits for a retry, so one with `1` holds up all. */
const parallelism = 'rabbitmq.eventing.knative.dev/parallelism'
/** Of AMQP: more than so many messages the server does not hand out before one is acknowledged. */
const prefetch = 100

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  'in-memory': {
    firstRetry: 0,
    retried: manyAndConflicts,
    refusal: 'dead-letter',
    // The filter turns it into a 502, which the channel retries.
    nonEventReply: 'retry',
    retryAfter: true,
    synchronous: true,
    attemptMs: timeout => timeout,
    filters: true,
    // It has no limit; the sandbox has one.
    tooLarge: 413,
    inFlight: () => 0,
  },
  kafka: {
    firstRetry: 1,
    retried: manyAndConflicts,
    refusal: 'dead-letter',
    nonEventReply: 'dead-letter',
    retryAfter: false,
    synchronous: false,
    attemptMs: (timeout = 600_000) => timeout,
    filters: true,
    // As for whatever it cannot produce: max.request.size is 1 MiB.
    tooLarge: 503,
    // max.poll.records. In order it is one for each partition.
    inFlight: annotations => (isOrdered(annotations) ? 0 : 50),
  },
  rabbitmq: {
    firstRetry: 1,
    retried: manyAndConflicts,
    // What is not to be retried counts as delivered.
    refusal: 'success',
    nonEventReply: 'success',
    retryAfter: false,
    synchronous: false,
    attemptMs: timeout => timeout,
    // Bindings are made from `filter` alone.
    filters: false,
    // RabbitMQ's own limit is 16 MiB; the sandbox has a smaller one.
    tooLarge: 413,
    inFlight: annotations => Math.min(Number(annotations[parallelism] ?? 1), prefetch),
  },
  nats: {
    firstRetry: 1,
    retried: [408, 429],
    // The message is terminated, and its dead letter sink is asked only where it was the last attempt.
    refusal: 'dropped',
    nonEventReply: 'retry',
    retryAfter: false,
    synchronous: false,
    // The ack wait is half a second above the timeout, without one the server's 30 s, and an attempt ends 0.2 s before it.
    attemptMs: timeout => (timeout === undefined ? 30_000 : timeout + 500) - 200,
    filters: true,
    // The stream takes 1 MiB at most, and the ingress hands on what the channel says.
    tooLarge: 500,
    // MaxAckPending of a consumer that states none.
    inFlight: () => 1_000,
    // Of a stream that states none.
    duplicateWindowMs: 120_000,
  },
}

/** `"true"` on a Broker: the in-memory channel answers before it delivers. */
export const asyncHandler = 'messaging.knative.dev/async-handler'

const deliveryOrder = 'kafka.eventing.knative.dev/delivery.order'

/** Whether a Trigger of the class Kafka has one event of each partition under way. */
export const isOrdered = (annotations: Readonly<Record<string, string>>): boolean =>
  annotations[deliveryOrder] === 'ordered'

export const isRetried = ({ retried }: Profile, status: number): boolean =>
  status >= 500 || retried.includes(status)

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
