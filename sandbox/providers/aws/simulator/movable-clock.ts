import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import { sleepBy } from '../../../../shared/clock/clock.ts'

/** A clock that runs with another one and can be moved forward. */
export interface MovableClock extends Clock {
  /** Moves the clock forward, to `lastInstant` at most. Ends all waits until a time that is now past. */
  jump(milliseconds: number): void
}

/**
 * The latest time of a jump. It leaves room for resources that expire later, because years on the wire have four
 * digits.
 */
export const lastInstant: Timestamp = Date.UTC(9000, 0, 1)

interface MovableTimer {
  readonly at: Timestamp
  readonly fire: () => void
  cancel: () => void
}

export const movableClock = (inner: Clock): MovableClock => {
  let ahead = 0
  const timers = new Set<MovableTimer>()
  const now = () => inner.now() + ahead

  const start = (timer: MovableTimer): void => {
    timer.cancel = inner.after(Math.max(timer.at - now(), 0), () => {
      timers.delete(timer)
      timer.fire()
    })
  }

  const after = (milliseconds: number, fire: () => void): (() => void) => {
    const timer: MovableTimer = { at: now() + milliseconds, fire, cancel: () => {} }
    timers.add(timer)
    start(timer)
    return () => {
      timers.delete(timer)
      timer.cancel()
    }
  }

  return {
    now,
    after,
    sleep: sleepBy(after),
    jump: milliseconds => {
      ahead += Math.max(Math.min(milliseconds, lastInstant - now()), 0)
      for (const timer of timers) {
        timer.cancel()
        start(timer)
      }
    },
  }
}
