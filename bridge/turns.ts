import type { Clock, Timestamp } from '../shared/clock/clock.ts'
import { isOpen, type Lane } from './lane.ts'
import type { Priority } from './queue-types.ts'

/** Whose turn it is: fresh before low, lanes in rotation. */
export interface Turns {
  /** Takes the next key that may start now out of its lane. */
  next(): string | undefined
  /** When the next low key may start, where only the rate holds it up. */
  lowAt(): Timestamp | undefined
}

/** Low keys that may start at once after a pause, in ms of their rate. */
const burstMs = 100

export const createTurns = (options: {
  readonly lanes: readonly Lane[]
  readonly concurrency: number
  readonly lowPerSecond: number
  readonly clock: Pick<Clock, 'now'>
}): Turns => {
  const { lanes, concurrency, lowPerSecond, clock } = options
  let turn = 0
  let nextLowAt = 0

  /** Places that `lane` leaves free for lanes with nothing in flight, so that a slow one never delays another. */
  const reserved = (lane: Lane) => {
    if (lane.inFlight === 0) return 0
    let idle = 0
    for (const other of lanes) if (other.inFlight === 0) idle++
    return Math.min(idle, Math.floor(concurrency / 2))
  }

  const take = (priority: Priority): string | undefined => {
    let free = concurrency
    for (const lane of lanes) free -= lane.inFlight
    for (let step = 0; free > 0 && step < lanes.length; step++) {
      const lane = lanes[(turn + step) % lanes.length]
      if (lane === undefined || lane[priority].size === 0) continue
      if (!isOpen(lane, clock.now()) || free <= reserved(lane)) continue
      turn = (turn + step + 1) % lanes.length
      return lane[priority].shift()
    }
    return undefined
  }

  return {
    next: () => {
      const fresh = take('fresh')
      const now = clock.now()
      if (fresh !== undefined || nextLowAt > now) return fresh
      const low = take('low')
      if (low !== undefined) nextLowAt = Math.max(nextLowAt, now - burstMs) + 1000 / lowPerSecond
      return low
    },
    lowAt: () => (nextLowAt > clock.now() && lanes.some(lane => lane.low.size > 0) ? nextLowAt : undefined),
  }
}
