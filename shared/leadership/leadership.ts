import type { Timestamp } from '../clock/clock.ts'

/** Selects the one of several processes that acts. */
export interface Leadership {
  /**
   * Returns true if this process may act now. Call it before every exclusive action; an expired lease counts as lost.
   */
  leading(): boolean
  /** Time of the election loop's last activity, at least once a minute. Absent: no loop. */
  lastActivity?(): Timestamp
  /**
   * Takes part until the signal aborts, then releases the leadership and resolves. Calls `changed` whenever `leading`
   * changes. Call it once.
   */
  run(signal: AbortSignal, changed: (leading: boolean) => void): Promise<void>
}

/** The leadership of a single process. */
export const alwaysLeading: Leadership = {
  leading: () => true,
  run: async (_signal, changed) => changed(true),
}
