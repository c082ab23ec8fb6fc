import type { NextStep } from '../../observe/observe.ts'

/** The shortest time between two evaluations of due work, in ms. A live console evaluates everything as often. */
export const tickMs = 10_000

/** A later evaluation, at a time at which a state may change without a write. */
export interface Evaluation {
  readonly at: number
  /** The first evaluation that found due work. */
  readonly dueSince?: number
}

/**
 * Returns the next evaluation after one at `at`: work becomes due, and then late and stuck. Due work is evaluated less
 * and less often, so that its age is never wrong by more than a fifth.
 *
 * @param before this evaluation, if it was planned. Undefined: a write caused it
 */
export const nextEvaluation = (
  steps: Iterable<NextStep | undefined>,
  at: number,
  before: Evaluation | undefined,
): Evaluation | undefined => {
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
