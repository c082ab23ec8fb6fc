import type { Timestamp } from '../../../shared/clock/clock.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../../shared/contract/step-annotation.ts'
import type { StepSeen } from '../../../shared/lifecycle/lifecycle.ts'

/** A step annotation, and when this process first saw it: only its clock decides when a claim or a wait is over. */
export interface MarkedStep extends StepSeen {
  /** Equal for equal annotations. */
  readonly mark: number
}

/**
 * Records the current step annotation of an object. A known annotation retains its time.
 *
 * @param written true if it appeared during a watch; false if it existed at the first read, and may be old
 */
export const markStep = (
  known: MarkedStep | undefined,
  step: StepAnnotation | undefined,
  now: Timestamp,
  written: boolean,
): MarkedStep | undefined => {
  if (step === undefined) return undefined
  const mark = hashOf(formatStepAnnotation(step))
  return known?.mark === mark ? known : { mark, at: now, written }
}

/** FNV-1a with 32 bits, instead of the text: there may be fifty thousand. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
