import type { Clock, Timestamp } from '../shared/clock/clock.ts'
import { isClosed, type Lane, probeAtOf } from './lane.ts'
import type { Priority } from './queue-types.ts'

/** Whose turn it is: fresh before low, lanes in rotation, closed lanes one at a time. */
export interface Turns {
  /** Takes the next key that may start now out of its lane. */
  next(): string | undefined
  /** When the next low key may start, where only the rate holds it up. */
  lowAt(): Timestamp | undefined
  /** When a closed lane may be tried again, where only the pace holds it up. */
  probeAt(): Timestamp | undefined
}

/** Low keys that may start at once after a pause, in ms of their rate. */
const burstMs = 100
/**
 * A sink that is down is asked by one event every 200 to 250 ms, however many lanes and objects wait: what comes back is
 * noticed within that time, and costs less than what keeps it down.
 */
const probeEveryMs = 200
const probeJitterMs = 50
/** Most requests that have no answer yet, in places of the queue: of one lane, and of all. Each has a connection. */
const openOfLane = 8
const openOfAll = 32

export const createTurns = (options: {
  readonly lanes: readonly Lane[]
  readonly concurrency: number
  readonly lowPerSecond: number
  readonly clock: Pick<Clock, 'now'>
  readonly random: () => number
}): Turns => {
  const { lanes, concurrency, lowPerSecond, clock, random } = options
  let turn = 0
  let nextLowAt = 0
  let nextProbeAt = 0

  /** Places that `lane` leaves free for lanes with nothing in flight, so that a slow one never delays another. */
  const reserved = (lane: Lane) => {
    if (lane.inFlight === 0) return 0
    let idle = 0
    for (const other of lanes) if (other.inFlight === 0) idle++
    return Math.min(idle, Math.floor(concurrency / 2))
  }

  const isFull = (lane: Lane) => lane.open + lane.inFlight >= openOfLane * concurrency

  /** Takes from the next lane that has a place, in rotation, what `pick` finds in it. */
  const take = (pick: (lane: Lane) => string | undefined): string | undefined => {
    let free = concurrency
    let open = 0
    for (const lane of lanes) {
      free -= lane.inFlight
      open += lane.open + lane.inFlight
    }
    if (open >= openOfAll * concurrency) return undefined
    for (let step = 0; free > 0 && step < lanes.length; step++) {
      const lane = lanes[(turn + step) % lanes.length]
      if (lane === undefined || isFull(lane) || free <= reserved(lane)) continue
      const key = pick(lane)
      if (key === undefined) continue
      turn = (turn + step + 1) % lanes.length
      return key
    }
    return undefined
  }

  const mayProbe = (lane: Lane) =>
    isClosed(lane) && lane.inFlight === 0 && lane.fresh.size + lane.low.size + lane.probes.size > 0

  const probe = (now: Timestamp): string | undefined => {
    const key = take(lane =>
      mayProbe(lane) && probeAtOf(lane, nextProbeAt) <= now
        ? (lane.fresh.shift() ?? lane.low.shift() ?? lane.probes.shift())
        : undefined,
    )
    if (key !== undefined) nextProbeAt = now + probeEveryMs + random() * probeJitterMs
    return key
  }

  const ofOpenLane = (priority: Priority) =>
    take(lane => (isClosed(lane) ? undefined : lane[priority].shift()))

  return {
    next: () => {
      const now = clock.now()
      const first = ofOpenLane('fresh') ?? probe(now)
      if (first !== undefined || nextLowAt > now) return first
      const low = ofOpenLane('low')
      if (low !== undefined) nextLowAt = Math.max(nextLowAt, now - burstMs) + 1000 / lowPerSecond
      return low
    },
    lowAt: () =>
      nextLowAt > clock.now() && lanes.some(lane => !isClosed(lane) && lane.low.size > 0)
        ? nextLowAt
        : undefined,
    probeAt: () => {
      let soonest = Number.POSITIVE_INFINITY
      for (const lane of lanes) {
        if (mayProbe(lane)) soonest = Math.min(soonest, probeAtOf(lane, nextProbeAt))
      }
      return soonest > clock.now() && soonest < Number.POSITIVE_INFINITY ? soonest : undefined
    },
  }
}
