import type { Clock, Timestamp } from './system-clock.ts'
import { sleepBy } from './system-clock.ts'

interface VirtualTimer {
  readonly at: Timestamp
  readonly order: number
  readonly callback: () => void
}

/** A clock that only advances on request. */
export interface VirtualClock extends Clock {
  /**
   * Advances the time by `milliseconds` and fires each due timer in order, at its due time. Between two timers, pending
   * promise callbacks and I/O run, so code that waits for a timer reaches its next wait before the next timer fires.
   */
  advance(milliseconds: number): Promise<void>
  /** Times of the pending timers, soonest first. */
  pending(): readonly Timestamp[]
}

/**
 * Creates a virtual clock that starts at `start` (ms since the epoch).
 *
 * @example
 * const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
 * const waited = clock.sleep(30_000)
 * await clock.advance(30_000)
 * await waited
 */
export const virtualClock = (start: Timestamp): VirtualClock => {
  let now = start
  let order = 0
  const timers = new Set<VirtualTimer>()

  const soonest = (limit: Timestamp): VirtualTimer | undefined => {
    let found: VirtualTimer | undefined
    for (const timer of timers) {
      if (timer.at > limit) continue
      if (!found || timer.at < found.at || (timer.at === found.at && timer.order < found.order)) found = timer
    }
    return found
  }

  const after = (milliseconds: number, callback: () => void): (() => void) => {
    const timer: VirtualTimer = { at: now + Math.max(milliseconds, 0), order: order++, callback }
    timers.add(timer)
    return () => timers.delete(timer)
  }

  return {
    now: () => now,
    after,
    sleep: sleepBy(after),
    advance: async milliseconds => {
      const target = now + milliseconds
      await runPending()
      for (let timer = soonest(target); timer; timer = soonest(target)) {
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.callback()
        await runPending()
      }
      now = target
    },
    pending: () => [...timers].map(timer => timer.at).sort((a, b) => a - b),
  }
}

/** Lets promise callbacks and pending I/O callbacks run. */
const runPending = async (): Promise<void> => {
  for (let round = 0; round < 5; round++) await new Promise(resolve => setImmediate(resolve))
}
