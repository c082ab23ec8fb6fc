import type { StepContext, StepResult } from './actuator.ts'

/** Of the first pause, and of the longest, in ms. */
const shortestMs = 500
const longestPauseMs = 10_000

/** A wait that nobody ends by an event. */
export interface SoonWait {
  /** A short name, of no other wait of the kind: by it the next step knows since when. */
  readonly waitsFor: string
  /** 1 to 99, while it lasts. */
  readonly progress: number
  /** What is being waited for; after `limitMs` the text of the error, too. */
  readonly description: string
  /** How long it may last, in ms; absent: until somebody takes the object back. */
  readonly limitMs?: number
}

/**
 * Ends the step until something may have become so, of which no event tells: looks again soon, and then after half of the time
 * that the wait has lasted, so that what takes long costs few steps and what is quick is seen at once. Throws when the wait
 * has lasted too long.
 */
export const continueSoon = (
  { waited, clock }: Pick<StepContext, 'waited' | 'clock'>,
  { waitsFor, progress, description, limitMs = Number.POSITIVE_INFINITY }: SoonWait,
): StepResult => {
  const lasts = waited?.for === waitsFor ? Math.max(0, clock.now() - waited.since) : 0
  if (lasts >= limitMs) throw new Error(description)
  return { kind: 'continue', afterMs: pauseAfter(lasts), progress, description, waitsFor }
}

/** The next pause, in ms, of a wait that has lasted this long and that no event ends. */
export const pauseAfter = (lastsMs: number): number =>
  Math.round(Math.min(Math.max(shortestMs, lastsMs / 2), longestPauseMs))
