import { type Clock, followSignal, type Timestamp } from '../../clock/clock.ts'
import { UnhandledError } from './watch-failures.ts'

/** Schedules new reads of objects for which the handler threw: after 10 s, then less often, finally every 5 minutes. */
export interface Repairs {
  /**
   * The signal aborts with an `UnhandledError` when a read is due. Call `checkNow` whenever something may have failed.
   */
  begin(signal: AbortSignal): { readonly signal: AbortSignal; checkNow(): void; end(): void }
  /** Everything was read. Earlier failures may be resolved. */
  done(): void
}

const firstDelayMs = 10_000
const longestDelayMs = 300_000

export const createRepairs = (clock: Clock, unhandled: () => number): Repairs => {
  let rounds = 0
  /** Remains after the end of a watch, which may be earlier. */
  let dueAt: Timestamp | undefined
  return {
    begin: signal => {
      const own = followSignal(signal)
      let disarm: (() => void) | undefined
      return {
        signal: own.signal,
        checkNow: () => {
          if (disarm !== undefined || unhandled() === 0) return
          dueAt ??= clock.now() + Math.min(firstDelayMs * 2 ** rounds++, longestDelayMs)
          disarm = clock.after(Math.max(dueAt - clock.now(), 0), () => {
            dueAt = undefined
            own.abort(new UnhandledError(`${unhandled()} objects were not handled`))
          })
        },
        end: () => {
          disarm?.()
          own.release()
        },
      }
    },
    done: () => {
      if (unhandled() > 0) return
      rounds = 0
      dueAt = undefined
    },
  }
}
