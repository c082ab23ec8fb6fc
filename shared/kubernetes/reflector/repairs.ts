import type { Clock, Timestamp } from '../../clock/clock.ts'
import { UnhandledError } from './watch-failures.ts'

/** Has objects read again at which the handler threw: after 10 s, then ever more slowly, every 5 minutes at last. */
export interface Repairs {
  /** The signal aborts with an `UnhandledError` when it is time; ask `checkNow` whenever something may have failed. */
  begin(signal: AbortSignal): { readonly signal: AbortSignal; checkNow(): void; end(): void }
  /** Everything was read; what failed before may be well now. */
  done(): void
}

const firstDelayMs = 10_000
const longestDelayMs = 300_000

export const createRepairs = (clock: Clock, unhandled: () => number): Repairs => {
  let rounds = 0
  /** Kept beyond the end of a watch, which may come sooner. */
  let dueAt: Timestamp | undefined
  return {
    begin: signal => {
      const own = new AbortController()
      let disarm: (() => void) | undefined
      return {
        signal: AbortSignal.any([signal, own.signal]),
        checkNow: () => {
          if (disarm !== undefined || unhandled() === 0) return
          dueAt ??= clock.now() + Math.min(firstDelayMs * 2 ** rounds++, longestDelayMs)
          disarm = clock.after(Math.max(dueAt - clock.now(), 0), () => {
            dueAt = undefined
            own.abort(new UnhandledError(`${unhandled()} objects were not handled`))
          })
        },
        end: () => disarm?.(),
      }
    },
    done: () => {
      if (unhandled() > 0) return
      rounds = 0
      dueAt = undefined
    },
  }
}
