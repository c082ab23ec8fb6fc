import type { Timestamp } from '../../shared/clock/clock.ts'
import { createFifo, type Fifo } from './fifo.ts'

/** What waits of one kind, how much of it is under way, and whether its sending works at present. */
export interface Subqueue {
  readonly name: string
  readonly fresh: Fifo
  readonly low: Fifo
  /** Keys whose last try failed, each waiting for a time of its own. */
  readonly backingOff: Set<string>
  /** Those of them that may go before their time to find out whether the sink is back; who was tried last comes last. */
  readonly probes: Fifo
  inFlight: number
  /** Requests that were let go of and have no answer yet. */
  open: number
  /** Failed tries since the last that succeeded. */
  failures: number
  /** While it is set the subqueue is closed: one at a time, and not before then. */
  closedUntil: Timestamp | undefined
}

/** One failure may be about the event; two in a row are taken for the sink's. */
const failuresToClose = 2
/** What a sink says about when to come again counts for one event; for the others of its subqueue up to so many ms. */
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
 * Notes a failed try. Closes the subqueue when there were too many, so that a sink that is down costs one try now and then
 * and not one for each object that waits.
 */
export const noteFailure = (subqueue: Subqueue, now: Timestamp, afterMs: number): void => {
  subqueue.failures++
  if (subqueue.failures >= failuresToClose) subqueue.closedUntil = now + Math.min(afterMs, longestClosingMs)
}

/** `closedUntil` of a subqueue that may be probed whenever the others were. */
const atOnce = 0

/** When a closed subqueue may be probed, where the next probe of all subqueues is allowed from `paceAt` on. */
export const probeAtOf = ({ closedUntil = atOnce }: Subqueue, paceAt: Timestamp): Timestamp =>
  closedUntil === atOnce ? atOnce : Math.max(closedUntil, paceAt)

/** Notes that the sink works again for another subqueue: it may be probed at once, with any of the returned keys. */
export const noteRecovery = (subqueue: Subqueue): readonly string[] => {
  if (subqueue.failures === 0) return []
  if (subqueue.closedUntil !== undefined) subqueue.closedUntil = atOnce
  return [...subqueue.backingOff]
}

/** Notes a try that worked. Returns the keys that need not wait any longer: those that failed while it was closed. */
export const noteSuccess = (subqueue: Subqueue): readonly string[] => {
  const wasClosed = subqueue.closedUntil !== undefined
  subqueue.failures = 0
  subqueue.closedUntil = undefined
  return wasClosed ? [...subqueue.backingOff] : []
}

export const waitingIn = (subqueue: Subqueue): number =>
  subqueue.fresh.size + subqueue.low.size + subqueue.backingOff.size
