import { type Clock, systemClock, type Timestamp } from '../../shared/clock/clock.ts'

/** Yields the event loop often enough that all work beside a short sleep is waiting, too, however slow it is. */
const yieldToEventLoop = async (): Promise<void> => {
  for (let round = 0; round < 500; round++) await new Promise(resolve => setImmediate(resolve))
}

/** A clock that shows the time of the replayed event. */
export interface EventClock extends Clock {
  /** Sets the time of the next event. */
  moveTo(time: Timestamp): void
}

/**
 * A clock that stands still, however long the work takes, so that a replay gives the same output every time. Waits take
 * real time, and advance the clock by the waited time. `sleepRate`: the real fraction of a sleep, if only this process
 * is waited for; the limits of a step are always real.
 */
export const createEventClock = ({ sleepRate = 1 } = {}): EventClock => {
  let now: Timestamp = 0
  const after = (milliseconds: number, callback: () => void): (() => void) => {
    const due = now + Math.max(milliseconds, 0)
    return systemClock.after(milliseconds, () => {
      now = Math.max(now, due)
      callback()
    })
  }
  return {
    now: () => now,
    moveTo: time => {
      now = time
    },
    after,
    sleep: async (milliseconds, signal) => {
      const due = now + Math.max(milliseconds, 0)
      await systemClock.sleep(milliseconds * sleepRate, signal)
      if (sleepRate < 1) await yieldToEventLoop()
      now = Math.max(now, due)
    },
  }
}
