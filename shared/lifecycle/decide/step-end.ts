import type { Timestamp } from '../../clock/clock.ts'
import { parseTimestamp } from '../../clock/timestamp.ts'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import { claimMs, longestClaimMs } from '../backend.ts'

/** What the bridge knows about a step annotation by its own clock. */
export interface StepSeen {
  /** When this process first saw the annotation with this very text. */
  readonly at: Timestamp
  /** It saw it being written; false: it was there when the object was first looked at, and may be old. */
  readonly written: boolean
}

/** The longest time that a claim may count, in ms, whatever its `until` says. */
export const claimLengthMs = (step: StepAnnotation): number =>
  Math.min(step.durationMs ?? claimMs, longestClaimMs)

/**
 * When a claim is over, or a wait is due. `until` is told by the clock of the process that wrote it, which may be wrong
 * by any amount: who saw the annotation counts from then by its own clock. `until` only shortens a wait that was found. A
 * claim that was found is not shortened: the step may be at work, in a process whose clock is behind, and two at work is
 * the one thing that must not be; so after a cold start of the bridge a dead step is noticed so much later.
 *
 * @param seen undefined: asked by somebody who does not watch, who knows only that it stands there now
 */
export const stepEnd = (step: StepAnnotation, now: Timestamp, seen: StepSeen | undefined): Timestamp => {
  const until = parseTimestamp(step.until) ?? 0
  const length = step.phase === 'claimed' ? claimLengthMs(step) : step.durationMs
  if (length === undefined) return until
  if (seen === undefined) return step.phase === 'claimed' ? Math.min(until, now + length) : until
  return seen.written || step.phase === 'claimed' ? seen.at + length : Math.min(until, seen.at + length)
}
