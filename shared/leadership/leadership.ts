import type { Timestamp } from '../clock/clock.ts'

/** Which one of several processes acts. */
export interface Leadership {
  /** Whether this one may act now. Asked before everything that one alone may do; a lease that has run out meanwhile counts as lost. */
  leading(): boolean
  /** When the loop that elects last did anything; it does something at least every minute. Absent: there is no loop. */
  lastActivity?(): Timestamp
  /**
   * Takes part until the signal aborts; then gives the leadership up and resolves. `changed` is called whenever
   * `leading` has changed. Call it once.
   */
  run(signal: AbortSignal, changed: (leading: boolean) => void): Promise<void>
}

/** The leadership of a process that is alone. */
export const alwaysLeading: Leadership = {
  leading: () => true,
  run: async (_signal, changed) => changed(true),
}
