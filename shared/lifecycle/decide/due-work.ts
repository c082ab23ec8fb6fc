import type { Timestamp } from '../../clock/clock.ts'
import { parseTimestamp } from '../../clock/clock.ts'
import type { KindName } from '../../contract/kinds.ts'
import { isInForce } from '../../contract/pause.ts'
import type { StepAnnotation } from '../../contract/step-annotation.ts'
import type { WorkOperation } from '../../events/events.ts'
import { eventId } from '../../events/events.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { Backend, StepEvent, StepOutcome } from '../backend.ts'
import { claimLengthMs, hasOwnFinalizer, isMigrated, type StepSeen, stepEnd } from './claim.ts'
import { type Facts, factsOf, holdsClaim, lastOperationMark, openRequest, stepSucceeded } from './facts.ts'
import { kindRules } from './kind-rules.ts'

/** A piece of work for an object, with its reason. */
export interface PieceOfWork {
  readonly operation: WorkOperation
  /** Identical for the same cause in every process: part of the event's id. */
  readonly cause: string
  /** The reason in one word. */
  readonly reason: Reason
  /** Number of failed attempts so far. */
  readonly attempt: number
  /** True if only time makes the work due: the end of a wait or of a claim. */
  readonly timed: boolean
}

/**
 * `changed`: the object of the step's wait changed before the next scheduled step. `touched`: while it waits, the
 * metadata of an object in deletion changed (docs/contract/lifecycle.md#when-work-is-due), or a user repeated the
 * request to reconcile.
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

/**
 * The due work of an object. `later`: at a time (ms since the epoch). `held`: a step is running, until then at most.
 * `paused`: a person has paused it until then.
 */
export type DueWork =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'emit' } & PieceOfWork)
  | ({ readonly kind: 'later'; readonly at: Timestamp; readonly held: boolean | 'paused' } & PieceOfWork)

const none: DueWork = { kind: 'none' }

const reasonOf = (operation: PieceOfWork['operation']): Reason =>
  operation === 'delete' ? 'deletion' : 'annotation'

/**
 * Returns the due work of this object, derived only from the object. The bridge uses it to decide which event to send,
 * and the function to decide which step to run. So a lost event, a restarted bridge or a killed function makes no
 * difference.
 *
 * It is the level-triggered form of the contract's predicates (docs/contract/lifecycle.md#when-work-is-due): the CREATE
 * rule applies at any time, and "the status is unchanged" of the UPDATE rule follows from the step annotation, which
 * distinguishes a scheduled wait from a new request.
 */
export const dueWork = (kind: KindName, object: KubernetesObject, now: Timestamp): DueWork =>
  dueWorkOf(kind, factsOf(object), now)

/**
 * `dueWork` for facts that were already read. While the object is paused, no step starts, not even of a deletion: it
 * could not be undone. A running step ends.
 *
 * @param seen the bridge's observation of the step annotation; only its clock decides when work is due
 */
export const dueWorkOf = (kind: KindName, facts: Facts, now: Timestamp, seen?: StepSeen): DueWork => {
  const due = unpausedWork(kind, facts, now, seen)
  const { pause } = facts
  if (due.kind === 'none' || !isInForce(pause, now)) return due
  if (due.kind === 'later' && (due.held || due.at >= pause.until)) return due
  return { ...due, kind: 'later', at: pause.until, held: 'paused' }
}

const unpausedWork = (kind: KindName, facts: Facts, now: Timestamp, seen: StepSeen | undefined): DueWork => {
  if (facts.requested === 'wait-for-state') return none
  if (holdsClaim(kind, facts)) return whileHeld(facts, now, seen)

  const request = openRequest(kind, facts)
  if (isMigrated(kind, facts) && request?.operation !== 'migrate' && request?.operation !== 'restore') {
    // The annotation of a skipped request must still be consumed (docs/contract/lifecycle.md#consuming-the-annotation).
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
    const waited = afterWait(facts, now, request.operation, seen)
    // After the wait, the bridge needs no touch: an older function may not know it.
    return seen !== undefined && waited.kind === 'emit'
      ? waited
      : (touched(facts, request.operation) ?? waited)
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

/** The cause contains the state at the request, so that a later request for the same operation is another event. */
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

/**
 * One event per wait, however often the object is touched: its step sees the last change too. A user who repeats the
 * request with kubectl leaves its timestamp, so the request has the same id.
 */
const touched = (facts: Facts, operation: PieceOfWork['operation']): DueWork | undefined => {
  const { step, metadataHash, requested } = facts
  if (step === undefined) return undefined
  // The claim has consumed the annotation, so an existing one is newer.
  const isTouched =
    requested === 'reconcile' ||
    (metadataHash !== undefined && step.metadataHash !== undefined && step.metadataHash !== metadataHash)
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
  // A backoff protects the cloud, so no change ends it early.
  const wakeAt = state === 'Processing' ? seen?.wakeAt : undefined
  const isWoken = wakeAt !== undefined && wakeAt < end && now < end
  const at = isWoken ? wakeAt : end
  const work: PieceOfWork = {
    operation: state === 'Processing' ? 'continue' : operation,
    // The same cause for an early end: it is the same continue, which happens only once.
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
 * Returns true if the step in the annotation has succeeded and written everything: a delete has removed its finalizer,
 * a migrate or a restore its annotation.
 */
export const stepIsComplete = (kind: KindName, facts: Facts): boolean =>
  stepSucceeded(facts) &&
  (!holdsClaim(kind, facts) ||
    (facts.step?.operation === 'delete' && !hasOwnFinalizer(kind, facts.finalizers)))

/** Returns true if the backend handles the object's class and type (docs/contract/lifecycle.md#class-and-type). */
export const isResponsibleFor = (backend: Backend, facts: Facts): boolean =>
  backend.types.includes(facts.provider) &&
  (backend.classes ?? ['shoot']).some(extensionClass => extensionClass === facts.extensionClass)

/**
 * Returns true if an event runs a step of the live object.
 *
 * A request runs at any event. Work that only time makes due, the end of a wait or claim, runs if the event names this
 * end, whatever this process's clock: only the bridge's clock decides. An event names an end by its id, derived from
 * the object's uid, the step annotation and `lastOperation`. So a sender who cannot read the object gains nothing,
 * whatever its `reason`. A sender who can read it can end each wait once, as by touching the object; the attempt counts
 * and the next wait is longer.
 *
 * A claim of a possibly running step is taken over only if nothing but a wrong clock supports it: while `until` is
 * within one claim duration, the step is awaited, for at most that time.
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
