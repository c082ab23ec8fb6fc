import type { Timestamp } from '../shared/clock/clock.ts'
import { createFifo, type Fifo } from './fifo.ts'

/** What waits of one kind, how much of it is under way, and whether its sending works at present. */
export interface Lane {
  readonly name: string
  readonly fresh: Fifo
  readonly low: Fifo
  /** Keys whose last try failed, each waiting for a time of its own. */
  readonly backingOff: Set<string>
  inFlight: number
  /** Failed tries since the last that succeeded. */
  failures: number
  /** How often in a row it was closed. */
  closings: number
  closedUntil: Timestamp | undefined
}

/** After so many failures in a row it is the sink that fails and not the event. */
const failuresToClose = 5
const firstClosingMs = 500
const longestClosingMs = 5_000

export const createLane = (name: string): Lane => ({
  name,
  fresh: createFifo(),
  low: createFifo(),
  backingOff: new Set(),
  inFlight: 0,
  failures: 0,
  closings: 0,
  closedUntil: undefined,
})

/** Whether another one may start now. A lane that has been closed is probed with one at a time. */
export const isOpen = (lane: Lane, now: Timestamp): boolean => {
  if (lane.closedUntil === undefined) return true
  return lane.closedUntil <= now && lane.inFlight === 0
}

/**
 * Notes a failed try. Closes the lane when there were too many, so that a sink that is down costs one try now and then
 * and not one for each object that waits. Returns the time at which it opens again, if this closed it. `random` (0 ≤ x < 1) keeps lanes that were
 * closed together from being probed together: so one of them soon finds out that the sink is back.
 */
export const noteFailure = (lane: Lane, now: Timestamp, random: number): Timestamp | undefined => {
  lane.failures++
  const closedAlready = lane.closedUntil !== undefined && lane.closedUntil > now
  if (lane.failures < failuresToClose || closedAlready) return undefined
  const closing = Math.min(firstClosingMs * 2 ** lane.closings, longestClosingMs)
  lane.closedUntil = now + closing * (0.5 + random / 2)
  lane.closings++
  return lane.closedUntil
}

/** Notes that the sink works again for another lane: it may be probed at once, with any of the returned keys. */
export const noteRecovery = (lane: Lane, now: Timestamp): readonly string[] => {
  if (lane.failures === 0) return []
  if (lane.closedUntil !== undefined) lane.closedUntil = now
  return [...lane.backingOff]
}

/** Notes a try that worked. Returns the keys that need not wait any longer: those that failed while it was closed. */
export const noteSuccess = (lane: Lane): readonly string[] => {
  const wasClosed = lane.closedUntil !== undefined
  lane.failures = 0
  lane.closings = 0
  lane.closedUntil = undefined
  return wasClosed ? [...lane.backingOff] : []
}

export const waitingIn = (lane: Lane): number => lane.fresh.size + lane.low.size + lane.backingOff.size
