import type { Delivery } from './manifests.ts'
import type { Consumption } from './trigger-queue.ts'

export const profileNames = ['in-memory', 'kafka', 'rabbitmq', 'nats'] as const
export type BrokerName = (typeof profileNames)[number]

/**
 * The differences between the brokers. Sources: knative/eventing 8cf4c4b6 (in-memory: pkg/kncloudevents/retries.go,
 * pkg/broker/filter, pkg/channel/fanout), knative-extensions/eventing-kafka-broker 7d8fe89f (WebClientCloudEventSender,
 * RecordDispatcherImpl, UnorderedConsumerVerticle, OrderedConsumerVerticle, IngressRequestHandlerImpl,
 * config-kafka-broker-data-plane), knative-extensions/eventing-rabbitmq bd1ee997 (pkg/dispatcher, pkg/rabbit,
 * pkg/reconciler/trigger) and knative-extensions/eventing-natss 03a34594 (pkg/channel/jetstream/dispatcher and utils,
 * behind the ingress and the filter of knative/eventing).
 */
export interface Profile {
  /** The start of the backoff: the first exponential wait is `backoffDelay * 2^firstRetry`, linear `* firstRetry`. */
  readonly firstRetry: 0 | 1
  /** Status codes that are retried, in addition to 5xx and broken connections. */
  readonly retried: readonly number[]
  /** The result of any other 4xx, and of 3xx. `dropped`: a dead letter that is sent to no sink. */
  readonly refusal: 'dead-letter' | 'dropped' | 'success'
  /** The redirects that an attempt follows. One more is a failure that is retried. */
  readonly redirects: number
  /** The result of a 2xx with a body that is not an event. */
  readonly nonEventReply: 'retry' | 'dead-letter' | 'success'
  /** True if Retry-After of a 429 or 503 is respected, up to the delivery's `retryAfterMax` (an opt-in feature). */
  readonly retryAfter: boolean
  /**
   * If true, the ingress responds only when every delivery has ended, including retries, and cancels them when the
   * client disconnects. The in-memory channel does so unless the Broker has the annotation `asyncHandler`.
   */
  readonly synchronous: boolean
  /** Maximum duration of an attempt in ms, by the delivery's `timeout`; undefined: no limit. */
  readonly attemptMs: (timeout: number | undefined) => number | undefined
  /** True if Triggers may have `filters`. Otherwise only their `filter` is used. */
  readonly filters: boolean
  /** The ingress's status for an event larger than the storage accepts. */
  readonly tooLarge: number
  /** How the dispatcher takes the events of a Trigger (by its annotations) from the storage. */
  readonly consumption: (annotations: Readonly<Record<string, string>>) => Consumption
  /**
   * True if dead letters are stored in a queue of the Broker, with a dispatcher of its own that has one worker and no
   * timeout. Without a dead letter sink that queue is missing, and a dead letter closes the channel of its Trigger.
   */
  readonly storesDeadLetters: boolean
  /** The programs end without the storage, and the kubelet waits before it starts them again. */
  readonly endsWithoutStorage: boolean
  /**
   * An event is accepted but not delivered if its id was accepted within this time (ms); undefined: all are delivered.
   */
  readonly duplicateWindowMs?: number
}

const manyAndConflicts = [404, 408, 409, 429]
/** An event that waits for a retry occupies a place of the worker, so with `1` it blocks all others. */
const parallelism = 'rabbitmq.eventing.knative.dev/parallelism'
/** AMQP prefetch, whatever the number of workers is: the largest number of unacknowledged messages. */
const prefetch = 100
/** RabbitMQ's default `consumer_timeout`: 30 minutes. */
const consumerTimeoutMs = 1_800_000
/** Kafka's `max.poll.records`. The dispatcher polls again as soon as fewer are in flight, so 99 are possible. */
const polled = 50

export const profiles: Readonly<Record<BrokerName, Profile>> = {
  'in-memory': {
    firstRetry: 0,
    retried: manyAndConflicts,
    refusal: 'dead-letter',
    // The filter converts it to a 502, which the channel retries.
    nonEventReply: 'retry',
    retryAfter: true,
    synchronous: true,
    attemptMs: timeout => timeout,
    filters: true,
    // This broker has no limit, but the sandbox has one.
    tooLarge: 413,
    redirects: 0,
    consumption: () => ({ workers: 0, atEnd: 'lost' }),
    storesDeadLetters: false,
    endsWithoutStorage: false,
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
    // The status for any event that it cannot produce: max.request.size is 1 MiB.
    tooLarge: 503,
    redirects: 0,
    // Ordered delivery: one event per partition.
    consumption: annotations =>
      isOrdered(annotations)
        ? { workers: 1, atEnd: 'again' }
        : { workers: 0, poll: polled, commitsInOrder: true, atEnd: 'again' },
    storesDeadLetters: false,
    endsWithoutStorage: false,
  },
  rabbitmq: {
    firstRetry: 1,
    retried: manyAndConflicts,
    // An event that must not be retried counts as delivered.
    refusal: 'success',
    nonEventReply: 'success',
    retryAfter: false,
    synchronous: false,
    attemptMs: timeout => timeout,
    // Bindings are created only from `filter`.
    filters: false,
    // RabbitMQ's own limit is 128 MiB in 3.x, and 16 MiB in 4; that of the sandbox is smaller.
    tooLarge: 413,
    redirects: 10,
    consumption: annotations => ({
      workers: Math.min(Number(annotations[parallelism] ?? 1), prefetch),
      prefetch,
      longestHeldMs: consumerTimeoutMs,
      atEnd: 'failed',
    }),
    storesDeadLetters: true,
    endsWithoutStorage: true,
  },
  nats: {
    firstRetry: 1,
    retried: [408, 429],
    // The message is terminated. It is sent to the dead letter sink only after its last attempt.
    refusal: 'dropped',
    nonEventReply: 'retry',
    retryAfter: false,
    synchronous: false,
    // The ack wait is the timeout plus half a second, or the server's 30 s by default. An attempt ends 0.2 s earlier.
    attemptMs: timeout => (timeout === undefined ? 30_000 : timeout + 500) - 200,
    filters: true,
    // The stream accepts at most 1 MiB, and the ingress forwards the channel's status.
    tooLarge: 500,
    redirects: 0,
    // The default MaxAckPending of a consumer.
    consumption: () => ({ workers: 1_000, atEnd: 'again' }),
    storesDeadLetters: false,
    endsWithoutStorage: false,
    // The default of a stream.
    duplicateWindowMs: 120_000,
  },
}

/** `"true"` on a Broker: the in-memory channel responds before it delivers. */
export const asyncHandler = 'messaging.knative.dev/async-handler'

const deliveryOrder = 'kafka.eventing.knative.dev/delivery.order'

/** Returns true if a Trigger of the class Kafka has only one event per partition in flight. */
export const isOrdered = (annotations: Readonly<Record<string, string>>): boolean =>
  annotations[deliveryOrder] === 'ordered'

export const isRetried = ({ retried }: Profile, status: number): boolean =>
  status >= 500 || retried.includes(status)

/** Returns the largest number of events of a Trigger in flight, including those that wait for a retry; 0: no limit. */
export const mostInFlight = ({ workers, poll }: Consumption): number =>
  poll === undefined ? workers : 2 * poll - 1

/** Returns the milliseconds before a retry; `retry` starts at 1. */
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
