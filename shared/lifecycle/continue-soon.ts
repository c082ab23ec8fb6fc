import type { StepContext, StepResult } from './actuator.ts'

/** The first and the longest pause in milliseconds. */
const shortestMs = 500
const longestPauseMs = 10_000

/** A wait without an event at its end. */
export interface SoonWait {
  /** A short name, unique among the waits of the kind. The next step uses it to find the wait's start. */
  readonly waitsFor: string
  /** 1 to 99, during the wait. */
  readonly progress: number
  /** The reason of the wait. Also the text of the error after `limitMs`. */
  readonly description: string
  /** Limit of the wait in milliseconds. Absent: no limit. */
  readonly limitMs?: number
}

/**
 * Ends the step until a change may have happened that no event reports: continues soon, and then after half of the
 * wait's duration so far, so that a long wait costs few steps and a short one ends quickly. Throws when the wait
 * exceeds its limit.
 */
export const continueSoon = (
  { waited, clock }: Pick<StepContext, 'waited' | 'clock'>,
  { waitsFor, progress, description, limitMs = Number.POSITIVE_INFINITY }: SoonWait,
): Extract<StepResult, { readonly kind: 'continue' }> => {
  const lasts = waited?.for === waitsFor ? Math.max(0, clock.now() - waited.since) : 0
  if (lasts >= limitMs) throw new Error(description)
  return { kind: 'continue', afterMs: pauseAfter(lasts), progress, description, waitsFor }
}

/** Returns the next pause in milliseconds of a wait with this duration and without an event at its end. */
export const pauseAfter = (lastsMs: number): number =>
  Math.round(Math.min(Math.max(shortestMs, lastsMs / 2), longestPauseMs))
