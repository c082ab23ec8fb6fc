import { systemClock, type VirtualClock } from '../../../../shared/clock/clock.ts'

/** A clock that runs by itself, for a stepped seed with real servers. */
export interface RealTime {
  /** `advance` waits. */
  readonly clock: VirtualClock
  /** Runs work in which `advance` jumps ahead instead: pauses between requests of gardenlet, not of the function. */
  jumping<T>(work: () => Promise<T>): Promise<T>
}

export const realTime = (): RealTime => {
  let ahead = 0
  let jumps = false
  return {
    clock: {
      ...systemClock,
      now: () => systemClock.now() + ahead,
      pending: () => [],
      advance: async milliseconds => {
        if (jumps) ahead += milliseconds
        // At least once around the event loop: otherwise a timer that is due would never fire.
        else await systemClock.sleep(Math.max(milliseconds, 1))
      },
    },
    jumping: async work => {
      jumps = true
      try {
        return await work()
      } finally {
        jumps = false
      }
    },
  }
}
