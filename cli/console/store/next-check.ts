import type { NextStep } from '../../observe/observe.ts'

/** The shortest time between two looks at due work, in ms. A live console looks as often at everything. */
export const tickMs = 10_000

/** A time at which a state may change without a write. */
export interface Check {
  readonly at: number
  /** The first look that found due work. */
  readonly dueSince?: number
}

/**
 * Returns the next check after a look at `at`: work becomes due, and then late and stuck. Due work is looked at less and
 * less often, so that its age is never wrong by more than a fifth.
 *
 * @param before the check that caused this look. Undefined: a write did
 */
export const nextCheck = (
  steps: Iterable<NextStep | undefined>,
  at: number,
  before: Check | undefined,
): Check | undefined => {
  let later = Number.POSITIVE_INFINITY
  let isDue = false
  for (const step of steps) {
    if (step?.at === undefined) continue
    if (step.at > at) later = Math.min(later, step.at)
    else isDue = true
  }
  if (!isDue) return later === Number.POSITIVE_INFINITY ? undefined : { at: later }
  const dueSince = before?.dueSince ?? at
  return { at: Math.min(later, at + Math.max(tickMs, (at - dueSince) / 4)), dueSince }
}
