import type { Timestamp } from '../../shared/clock/clock.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { StepSeen } from '../../shared/lifecycle/lifecycle.ts'

/** A step annotation, and since when this process knows it: its clock alone tells when a claim or a wait is over. */
export interface MarkedStep extends StepSeen {
  /** The same for the same annotation. */
  readonly mark: number
}

/**
 * Notes the step annotation that an object shows now. One that was known already keeps its time.
 *
 * @param written whether it appeared while somebody watched; false: it was there at the first read, and may be old
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

/** FNV-1a, 32 bits, instead of the text: there may be fifty thousand. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
