import type { RunningFunction } from '../../sandbox/seed/seed.ts'
import type { Clock } from '../../shared/clock/clock.ts'

export interface EndWithinOptions {
  readonly clock: Clock
  /** Called if it has not ended after a moment, because a step is still running. */
  readonly onWait: () => void
  readonly onKill: () => void
}

/** The wait before `onWait` is called, in ms. */
const momentMs = 2_000

/** The longest time for a graceful end, in ms: a process waits 67 s for its steps, which take 55 s at most. */
const longestMs = 70_000

/** Ends the process of a function gracefully; kills it if it does not end, for example because of an endless loop. */
export const endWithin = async (
  running: Pick<RunningFunction, 'close'> & { readonly kill: () => Promise<void> },
  { clock, onWait, onKill }: EndWithinOptions,
): Promise<void> => {
  const cancels = [
    clock.after(momentMs, onWait),
    clock.after(longestMs, () => {
      onKill()
      // `close` ends with it, too.
      void running.kill()
    }),
  ]
  try {
    await running.close()
  } finally {
    for (const cancel of cancels) cancel()
  }
}
