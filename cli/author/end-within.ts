import type { RunningFunction } from '../../sandbox/seed/seed.ts'
import type { Clock } from '../../shared/clock/clock.ts'

export interface EndWithinOptions {
  readonly clock: Clock
  /** Called when it has not ended after a moment: a step of it goes on. */
  readonly onWait: () => void
  /** Called when it had to be killed. */
  readonly onKill: () => void
}

/** After so long its author is told, in ms. */
const momentMs = 2_000

/** Longest time for ending in good order, in ms: a process waits 67 s for its steps, which take 55 s at most. */
const longestMs = 70_000

/** Ends the process of a function in good order; one that does not end, as in a loop that never lets go, is killed. */
export const endWithin = async (
  running: Pick<RunningFunction, 'close'> & { readonly kill: () => Promise<void> },
  { clock, onWait, onKill }: EndWithinOptions,
): Promise<void> => {
  const cancels = [
    clock.after(momentMs, onWait),
    clock.after(longestMs, () => {
      onKill()
      // Its end is that of `close`, too.
      void running.kill()
    }),
  ]
  try {
    await running.close()
  } finally {
    for (const cancel of cancels) cancel()
  }
}
