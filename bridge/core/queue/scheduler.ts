import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import type { Priority } from './queue-types.ts'
import { isClosed, probeAtOf, type Subqueue } from './subqueue.ts'

/** Selects the next key: fresh before low, subqueues in rotation, closed subqueues one at a time. */
export interface Scheduler {
  /** Removes the next key that may start now from its subqueue, and returns it. */
  next(): string | undefined
  /** The time at which the next low key may start, if only the rate delayed it at the last call of `next`. */
  lowAt(): Timestamp | undefined
  /** The time at which a closed subqueue may be tried again, if only the pace delayed it at the last call of `next`. */
  probeAt(): Timestamp | undefined
}

/** The low keys that may start at once after a pause, in ms of their rate. */
const burstMs = 100
/**
 * A sink that is down gets one event every 200 to 250 ms, however many subqueues and objects wait. Its return is
 * noticed within that time, at a small cost for the sink.
 */
const probeEveryMs = 200
const probeJitterMs = 50
/**
 * The largest number of requests without an answer, in multiples of the slots: for one subqueue, and for all. Each has
 * a connection.
 */
const openOfSubqueue = 8
const openOfAll = 32

export const createScheduler = (options: {
  readonly subqueues: readonly Subqueue[]
  readonly concurrency: number
  readonly lowPerSecond: number
  readonly clock: Pick<Clock, 'now'>
  readonly random: () => number
}): Scheduler => {
  const { subqueues, concurrency, lowPerSecond, clock, random } = options
  let nextSubqueue = 0
  let nextLowAt = 0
  let nextProbeAt = 0
  /** The time of the last call of `next`. A later reading would hide delays that have ended since. */
  let previousAt = 0

  /**
   * Returns the slots that `subqueue` leaves free for subqueues with nothing in flight, so that a slow one never delays
   * another.
   */
  const reserved = (subqueue: Subqueue) => {
    if (subqueue.inFlight === 0) return 0
    let idle = 0
    for (const other of subqueues) if (other.inFlight === 0) idle++
    return Math.min(idle, Math.floor(concurrency / 2))
  }

  const isFull = (subqueue: Subqueue) => subqueue.open + subqueue.inFlight >= openOfSubqueue * concurrency

  /** Takes the key that `pick` selects in the next subqueue with a slot, in rotation. */
  const take = (pick: (subqueue: Subqueue) => string | undefined): string | undefined => {
    let free = concurrency
    let open = 0
    for (const subqueue of subqueues) {
      free -= subqueue.inFlight
      open += subqueue.open + subqueue.inFlight
    }
    if (open >= openOfAll * concurrency) return undefined
    for (let step = 0; free > 0 && step < subqueues.length; step++) {
      const subqueue = subqueues[(nextSubqueue + step) % subqueues.length]
      if (subqueue === undefined || isFull(subqueue) || free <= reserved(subqueue)) continue
      const key = pick(subqueue)
      if (key === undefined) continue
      nextSubqueue = (nextSubqueue + step + 1) % subqueues.length
      return key
    }
    return undefined
  }

  const mayProbe = (subqueue: Subqueue) =>
    isClosed(subqueue) &&
    subqueue.inFlight === 0 &&
    subqueue.fresh.size + subqueue.low.size + subqueue.probes.size > 0

  const probe = (now: Timestamp): string | undefined => {
    const key = take(subqueue =>
      mayProbe(subqueue) && probeAtOf(subqueue, nextProbeAt) <= now
        ? (subqueue.fresh.shift() ?? subqueue.low.shift() ?? subqueue.probes.shift())
        : undefined,
    )
    if (key !== undefined) nextProbeAt = now + probeEveryMs + random() * probeJitterMs
    return key
  }

  const ofOpenSubqueue = (priority: Priority) =>
    take(subqueue => (isClosed(subqueue) ? undefined : subqueue[priority].shift()))

  return {
    next: () => {
      const now = clock.now()
      previousAt = now
      const first = ofOpenSubqueue('fresh') ?? probe(now)
      if (first !== undefined || nextLowAt > now) return first
      const low = ofOpenSubqueue('low')
      if (low !== undefined) nextLowAt = Math.max(nextLowAt, now - burstMs) + 1000 / lowPerSecond
      return low
    },
    lowAt: () =>
      nextLowAt > previousAt && subqueues.some(subqueue => !isClosed(subqueue) && subqueue.low.size > 0)
        ? nextLowAt
        : undefined,
    probeAt: () => {
      let soonest = Number.POSITIVE_INFINITY
      for (const subqueue of subqueues) {
        if (mayProbe(subqueue)) soonest = Math.min(soonest, probeAtOf(subqueue, nextProbeAt))
      }
      return soonest > previousAt && soonest < Number.POSITIVE_INFINITY ? soonest : undefined
    },
  }
}
