import type { Timestamp } from '../../clock/clock.ts'
import { parseTimestamp } from '../../clock/clock.ts'
import type { KindName } from '../../contract/kinds.ts'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import type { WorkOperation } from '../../events/events.ts'
import { eventId } from '../../events/events.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { Backend, StepEvent, StepOutcome } from '../backend.ts'
import { claimLengthMs, type StepSeen, stepEnd } from './claim.ts'
import { hasOwnFinalizer, isMigrated } from './dispatch.ts'
import { type Facts, factsOf, holdsClaim, lastOperationMark, openRequest, stepSucceeded } from './facts.ts'
import { kindRules } from './kind-rules.ts'

/** One piece of work for an object, and why. */
export interface PieceOfWork {
  readonly operation: WorkOperation
  /** The same for the same cause, however often and by whomever it is worked out: part of the event's id. */
  readonly cause: string
  /** Why, in a word. */
  readonly reason: Reason
  /** Failed attempts so far. */
  readonly attempt: number
  /** Nothing but the passing of time asks for it: the end of a wait or of a claim. */
  readonly timed: boolean
}

/**
 * `changed`: what the step waits for has changed before the time at which it would look again. `touched`: somebody changed
 * the metadata of a deleting object while it waits (docs/contract/lifecycle.md#when-work-is-due).
 */
export type Reason =
  | 'annotation'
  | 'deletion'
  | 'created'
  | 'resume'
  | 'due'
  | 'changed'
  | 'retry'
  | 'expired'
  | 'touched'

/** What an object needs. `later` at a time (ms since the epoch); `held`: a step is at work until then at most. */
export type DueWork =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'emit' } & PieceOfWork)
  | ({ readonly kind: 'later'; readonly at: Timestamp; readonly held: boolean } & PieceOfWork)

const none: DueWork = { kind: 'none' }

const reasonOf = (operation: PieceOfWork['operation']): Reason =>
  operation === 'delete' ? 'deletion' : 'annotation'

/**
 * What this object needs, worked out from the object alone: the bridge decides with it what to emit, and the function
 * what to do. So a lost event, a restarted bridge and a killed function make no difference.
 *
 * It is the level-triggered form of the contract's predicates (docs/contract/lifecycle.md#when-work-is-due): the
 * CREATE rule holds at any time, and "the status is unchanged" of the UPDATE rule follows from the step annotation,
 * which tells a wait that was already ordered from a request that is new.
 */
export const dueWork = (kind: KindName, object: KubernetesObject, now: Timestamp): DueWork =>
  dueWorkOf(kind, factsOf(object), now)

/**
 * `dueWork` for facts that were read already.
 *
 * @param seen what the bridge knows about the step annotation; its clock alone decides when something is due
 */
export const dueWorkOf = (kind: KindName, facts: Facts, now: Timestamp, seen?: StepSeen): DueWork => {
  if (facts.requested === 'wait-for-state') return none
  if (holdsClaim(kind, facts)) return whileHeld(facts, now, seen)

  const request = openRequest(kind, facts)
  if (isMigrated(kind, facts) && request?.operation !== 'migrate' && request?.operation !== 'restore') {
    // The annotation of a request that is skipped still has to be consumed
    // (docs/contract/lifecycle.md#consuming-the-annotation).
    return facts.requested === 'reconcile' && request !== undefined
      ? { kind: 'emit', ...workOf(facts, request.operation, request.id, 'annotation', 0) }
      : none
  }
  if (request?.operation === 'delete' && !hasOwnFinalizer(kind, facts.finalizers)) {
    return facts.requested === 'reconcile'
      ? { kind: 'emit', ...workOf(facts, 'delete', request.id, 'deletion', 0) }
      : none
  }
  const waiting = facts.step?.phase === 'waiting' ? facts.step : undefined
  if (request !== undefined) {
    const ordered = waiting?.request === request.id && waiting.generation === facts.generation
    if (!ordered)
      return { kind: 'emit', ...workOf(facts, request.operation, request.id, reasonOf(request.operation), 0) }
    return touched(facts, request.operation) ?? afterWait(facts, now, request.operation, seen)
  }
  if (waiting !== undefined) {
    if (waiting.generation !== facts.generation && facts.lastOperation?.state !== 'Succeeded') {
      const cause = `generation@${facts.generation}@${waiting.event}`
      return { kind: 'emit', ...workOf(facts, waiting.operation, cause, 'retry', 0) }
    }
    return afterWait(facts, now, waiting.operation, seen)
  }
  if (facts.lastOperation === undefined) {
    return { kind: 'emit', ...workOf(facts, 'reconcile', 'created', 'created', 0) }
  }
  if (facts.lastOperation.state !== 'Succeeded') {
    return { kind: 'emit', ...workOf(facts, resumed(kind, facts), 'resume', 'resume', 0) }
  }
  return none
}

/** The cause carries the state it was seen in, so that asking for the same thing again later is another event. */
const workOf = (
  facts: Facts,
  operation: WorkOperation,
  cause: string,
  reason: Reason,
  attempt: number,
): PieceOfWork => ({
  operation,
  cause: `${cause}|${lastOperationMark(facts.lastOperation)}`,
  reason,
  attempt,
  timed: false,
})

/** One event for a wait, however often the object is touched: the step that it makes sees the last touch too. */
const touched = (facts: Facts, operation: PieceOfWork['operation']): DueWork | undefined => {
  const { step, metadataHash, requested } = facts
  if (step === undefined || metadataHash === undefined) return undefined
  // The claim has consumed the annotation, so one that stands there is newer.
  const isTouched =
    requested === 'reconcile' || (step.metadataHash !== undefined && step.metadataHash !== metadataHash)
  if (!isTouched) return undefined
  const cause = `touched@${step.until}@${step.event}`
  return { kind: 'emit', ...workOf(facts, operation, cause, 'touched', step.attempt) }
}

const whileHeld = (facts: Facts, now: Timestamp, seen: StepSeen | undefined): DueWork => {
  const { step } = facts
  if (step === undefined) return none
  const at = stepEnd(step, now, seen)
  const work: PieceOfWork = {
    operation: step.operation,
    cause: `expired@${step.until}@${step.event}`,
    reason: 'expired',
    attempt: step.attempt,
    timed: true,
  }
  return now < at ? { kind: 'later', at, held: true, ...work } : { kind: 'emit', ...work }
}

const afterWait = (
  facts: Facts,
  now: Timestamp,
  operation: PieceOfWork['operation'],
  seen: StepSeen | undefined,
): DueWork => {
  const { step } = facts
  if (step === undefined) return none
  const end = stepEnd(step, now, seen)
  const state = facts.lastOperation?.state
  // A backoff stands for what the cloud can take, so nothing that changes ends it.
  const wakeAt = state === 'Processing' ? seen?.wakeAt : undefined
  const isWoken = wakeAt !== undefined && wakeAt < end && now < end
  const at = isWoken ? wakeAt : end
  const work: PieceOfWork = {
    operation: state === 'Processing' ? 'continue' : operation,
    // The same when it is woken: it is the same continue, early, and there is one of it.
    cause: `due@${step.until}@${step.event}`,
    reason: isWoken ? 'changed' : state === 'Processing' || state === 'Succeeded' ? 'due' : 'retry',
    attempt: step.attempt,
    timed: true,
  }
  return now < at ? { kind: 'later', at, held: false, ...work } : { kind: 'emit', ...work }
}

const resumed = (kind: KindName, facts: Facts): 'reconcile' | 'migrate' | 'restore' => {
  if (!kindRules[kind].migrates) return 'reconcile'
  if (facts.lastOperation?.type === 'Migrate') return 'migrate'
  return facts.lastOperation?.type === 'Restore' ? 'restore' : 'reconcile'
}

/**
 * Returns true if the step in the annotation has succeeded and written everything: a delete has removed its finalizer, a
 * migrate or a restore its annotation.
 */
export const stepIsComplete = (kind: KindName, facts: Facts): boolean =>
  stepSucceeded(facts) &&
  (!holdsClaim(kind, facts) ||
    (facts.step?.operation === 'delete' && !hasOwnFinalizer(kind, facts.finalizers)))

/** Class and type filter (docs/contract/lifecycle.md#class-and-type). */
export const isResponsibleFor = (backend: Backend, facts: Facts): boolean =>
  backend.types.includes(facts.provider) &&
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
  if (due.kind === 'none') return { kind: 'recorded', how: 'nothing-to-do' }
  if (!due.timed) return 'run'
  const isNamed = event.id === eventId(facts.uid, facts.generation, due.operation, due.cause)
  const { step } = facts
  if (due.reason !== 'expired' || step === undefined)
    return isNamed ? 'run' : { kind: 'recorded', how: 'not-due' }
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
