import type { Timestamp } from '../../../shared/clock/clock.ts'
import { createFifo, type Fifo } from './fifo.ts'

/** The waiting keys of one kind, the number in progress, and the state of its delivery. */
export interface Subqueue {
  readonly name: string
  readonly fresh: Fifo
  readonly low: Fifo
  /** Keys with a failed last attempt, each with its own wait. */
  readonly backingOff: Set<string>
  /** Those that may start early to probe the sink; the last one tried is the last in line. */
  readonly probes: Fifo
  inFlight: number
  /** Requests that gave up their slot and have no answer yet. */
  open: number
  /** Failed attempts since the last success. */
  failures: number
  /** If set, the subqueue is closed: one key at a time, and not before this time. */
  closedUntil: Timestamp | undefined
}

/** One failure may be about the event; two consecutive ones are attributed to the sink. */
const failuresToClose = 2
/** A Retry-After applies to one event; for the others of its subqueue at most this many ms. */
const longestClosingMs = 5_000

export const createSubqueue = (name: string): Subqueue => ({
  name,
  fresh: createFifo(),
  low: createFifo(),
  backingOff: new Set(),
  probes: createFifo(),
  inFlight: 0,
  open: 0,
  failures: 0,
  closedUntil: undefined,
})

export const isClosed = (subqueue: Subqueue): boolean => subqueue.closedUntil !== undefined

/**
 * Records a failed attempt. Closes the subqueue after too many, so that a sink that is down costs one attempt per
 * interval, not one per waiting object.
 */
export const noteFailure = (subqueue: Subqueue, now: Timestamp, afterMs: number): void => {
  subqueue.failures++
  if (subqueue.failures >= failuresToClose) subqueue.closedUntil = now + Math.min(afterMs, longestClosingMs)
}

/** `closedUntil` of a subqueue that may be probed as soon as the pace allows. */
const atOnce = 0

/** Returns the time at which a closed subqueue may be probed; `paceAt` is the next probe of all subqueues. */
export const probeAtOf = ({ closedUntil = atOnce }: Subqueue, paceAt: Timestamp): Timestamp =>
  closedUntil === atOnce ? atOnce : Math.max(closedUntil, paceAt)

/**
 * Records that the sink works again for another subqueue: this one may be probed at once, with any of the returned
 * keys.
 */
export const noteRecovery = (subqueue: Subqueue): readonly string[] => {
  if (subqueue.failures === 0) return []
  if (subqueue.closedUntil !== undefined) subqueue.closedUntil = atOnce
  return [...subqueue.backingOff]
}

/**
 * Records a successful attempt. Returns the keys that no longer have to wait: those that failed while it was closed.
 */
export const noteSuccess = (subqueue: Subqueue): readonly string[] => {
  const wasClosed = subqueue.closedUntil !== undefined
  subqueue.failures = 0
  subqueue.closedUntil = undefined
  return wasClosed ? [...subqueue.backingOff] : []
}

export const waitingIn = (subqueue: Subqueue): number =>
  subqueue.fresh.size + subqueue.low.size + subqueue.backingOff.size
