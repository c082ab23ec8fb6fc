import type { Timestamp } from '../../clock/clock.ts'
import { parseTimestamp } from '../../clock/timestamp.ts'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import { eventId } from '../../events/build.ts'
import type { Backend } from '../backend.ts'
import type { DueWork } from '../decide/due-work.ts'
import type { Facts } from '../decide/facts.ts'
import { claimLengthMs } from '../decide/step-end.ts'
import { recorded, type StepEvent, type StepOutcome } from './step.ts'

/** Class and type filter (docs/contract/lifecycle.md#class-and-type). */
export const isResponsibleFor = (backend: Backend, facts: Facts): boolean =>
  facts.provider === backend.type &&
  (backend.classes ?? ['shoot']).some(extensionClass => extensionClass === facts.extensionClass)

/**
 * Whether an event makes a step run, by the live object.
 *
 * What a request asks for runs at any event. What only time makes due, the end of a wait or of a claim, runs when an
 * event names it, whatever this process's clock says: no clock but the bridge's decides when something is due. An event
 * names an end by its id, which is made of the object's uid, the step annotation and `lastOperation`. So whoever can send
 * events but not read the object changes nothing by it, whatever `reason` he writes; whoever can do both can end each
 * wait once, like somebody who touches the object, and its attempt is counted and the next wait is longer.
 *
 * A claim is taken over from a step that may be alive only when nothing but a wrong clock speaks for it: while `until` is
 * no further away than a claim can last, the step is waited for, at most so long.
 */
export const mayRun = (
  due: DueWork,
  facts: Facts,
  event: Pick<StepEvent, 'id'>,
  now: Timestamp,
): StepOutcome | 'run' => {
  if (due.kind === 'none') return recorded('nothing-to-do')
  if (!due.timed) return 'run'
  const isNamed = event.id === eventId(facts.uid, facts.generation, due.operation, due.cause)
  const { step } = facts
  if (due.reason !== 'expired' || step === undefined) return isNamed ? 'run' : recorded('not-due')
  return isNamed && !mayBeAlive(step, now) ? 'run' : busy(step, now)
}

const mayBeAlive = (step: StepAnnotation, now: Timestamp): boolean => {
  const left = (parseTimestamp(step.until) ?? 0) - now
  return left > 0 && left <= claimLengthMs(step)
}

const busy = (step: StepAnnotation, now: Timestamp): StepOutcome => {
  const seconds = Math.ceil(((parseTimestamp(step.until) ?? 0) - now) / 1000)
  return { kind: 'busy', retryAfterSeconds: Math.min(Math.max(seconds, 1), 30) }
}
