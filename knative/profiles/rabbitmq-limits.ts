import { parseIsoDuration } from '../../shared/clock/clock.ts'
import type { BrokerDelivery } from '../deployment.ts'

/**
 * Workers of a Trigger: the parallel events of its function. `most`: messages that its dispatcher prefetches, whatever
 * their number is; more workers would be idle.
 */
export const rabbitmqParallelism = {
  annotation: 'rabbitmq.eventing.knative.dev/parallelism',
  most: 100,
} as const

/**
 * RabbitMQ's default `consumer_timeout` (docs of RabbitMQ, "Delivery Acknowledgement Timeout"): it closes a channel
 * with a message that is not acknowledged for this time. A message that waits in the dispatcher for a worker counts
 * too.
 */
const consumerTimeoutMs = 30 * 60_000

/** The time that an event may take of its worker: all attempts with full timeouts, and the waits between them. */
const longestDeliveryMs = ({ retry, backoffPolicy, backoffDelay, timeout }: BrokerDelivery): number => {
  const delayMs = parseIsoDuration(backoffDelay) ?? 0
  const waits = Array.from({ length: retry }, (_, index) =>
    backoffPolicy === 'linear' ? delayMs * (index + 1) : delayMs * 2 ** (index + 1),
  )
  return waits.reduce((sum, wait) => sum + wait, (retry + 1) * (parseIsoDuration(timeout) ?? 0))
}

/**
 * Returns why a Trigger with this number of workers may hold events for longer than RabbitMQ allows, with figures and
 * advice. Returns undefined if it cannot.
 */
export const tooFewWorkers = (workers: number, delivery: BrokerDelivery): string | undefined => {
  const { most } = rabbitmqParallelism
  const longestMs = longestDeliveryMs(delivery)
  const rounds = Math.ceil(most / workers)
  if (rounds * longestMs < consumerTimeoutMs) return undefined
  const allowedRounds = Math.ceil(consumerTimeoutMs / longestMs) - 1
  const least = allowedRounds < 1 ? Number.POSITIVE_INFINITY : Math.ceil(most / allowedRounds)
  const minutes = (ms: number) => Math.round(ms / 6_000) / 10
  return `${workers} workers are too few for RabbitMQ: its dispatcher holds ${most} events, which may take ${rounds} rounds of ${minutes(longestMs)} minutes, and RabbitMQ closes its channel after ${minutes(consumerTimeoutMs)} minutes. ${
    least <= most ? `Allow ${least} events at once (concurrency × maxScale), or reduce` : 'Reduce'
  } retry or timeout of the Broker's delivery`
}
