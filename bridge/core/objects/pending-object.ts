import type { Timestamp } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { keyOfId, idOf as nameOf } from '../../../shared/kubernetes/kubernetes.ts'
import type { Facts, PieceOfWork } from '../../../shared/lifecycle/lifecycle.ts'
import { type Wake, type Woken, withClaimSeen } from '../awaited/wake.ts'
import type { About } from '../bridge-event.ts'
import type { Priority } from '../queue/queue-types.ts'
import type { Decision, HoldReason, Sent, WaitReason } from './decide.ts'
import type { KeptObject } from './kept-objects.ts'
import type { MarkedStep } from './marked-step.ts'

/**
 * The stored part of a decision: enough to compare it with the next one and to show what waits. The rest is computed
 * again when the object is due. Fifty thousand of them fit in memory.
 */
export interface LastDecision {
  readonly kind: Exclude<Decision['kind'], 'nothing'>
  /** '' if it is to be sent. */
  readonly why: WaitReason | HoldReason | ''
  readonly operation: PieceOfWork['operation']
  readonly reason: PieceOfWork['reason']
  readonly attempt: number
  readonly id: string
}

/** An object with open work. Objects without work have no entry. */
export interface PendingObject {
  /** As `idOf` returns it; it contains the key. */
  readonly id: string
  readonly kind: KindName
  readonly uid: string | undefined
  /** Stored until it is sent, within limits; otherwise the object is read when it is due. */
  object: KeptObject | undefined
  /** The number of observations of the object, to detect a change in between. */
  seen: number
  priority: Priority
  /** The current decision; undefined before the first one. */
  lastDecision: LastDecision | undefined
  /** The time at which the need for the decision's event was seen. */
  since: Timestamp
  /** The time at which the need arose, according to the object itself; undefined: the object does not say. */
  needed: Timestamp | undefined
  /** The current step annotation, and since when it is shown. */
  step: MarkedStep | undefined
  /** The time of the last event for a touch of the deleting object. */
  touchedAt: Timestamp | undefined
  /** A change of the awaited objects. */
  wake: Wake | undefined
  /** The early events that were sent for such changes. */
  woken: Woken | undefined
  sent: Sent | undefined
  /** Called when the object shows that its event has arrived, or when nothing waits for that any more. */
  settled: ((how: 'arrived' | 'forgotten') => void) | undefined
  parked: string | undefined
  /** The number of consecutive refusals of its event by the sink. */
  refusals: number
  /** The number of consecutive connections that broke after a while. */
  breaks: number
  /** Why the sink did not accept the last event. */
  failure: string | undefined
  /** The error that the last step has written. */
  error: string | undefined
}

export const idOf = (kind: KindName, key: ObjectKey): string => `${kind} ${nameOf(key)}`

/** Returns the part of the id that names the object within its kind. */
export const objectNameOf = ({ id, kind }: Pick<PendingObject, 'id' | 'kind'>): string =>
  id.slice(kind.length + 1)

export const keyOf = (pending: Pick<PendingObject, 'id' | 'kind'>): ObjectKey =>
  keyOfId(objectNameOf(pending))

export const newPendingObject = (
  id: string,
  kind: KindName,
  uid: string | undefined,
  since: Timestamp,
): PendingObject => ({
  id,
  kind,
  uid,
  object: undefined,
  seen: 0,
  priority: 'fresh',
  lastDecision: undefined,
  since,
  needed: undefined,
  step: undefined,
  touchedAt: undefined,
  wake: undefined,
  woken: undefined,
  sent: undefined,
  settled: undefined,
  parked: undefined,
  refusals: 0,
  breaks: 0,
  failure: undefined,
  error: undefined,
})

/**
 * Updates the recorded changes of awaited objects from a claim that is seen for the first time. Call it before `step`
 * becomes the entry's.
 */
export const noteClaim = (pending: PendingObject, facts: Facts, step: MarkedStep | undefined): void => {
  if (pending.wake === undefined || facts.step === undefined || step?.mark === pending.step?.mark) return
  if (facts.step.event === pending.sent?.id) pending.wake = withClaimSeen(pending.wake, pending.woken)
  // Another bridge has sent it: the step reads every change seen before its claim.
  else if (facts.step.phase === 'claimed') pending.wake = undefined
}

/** `id`: the same string if it is already in memory. */
export const lastDecisionOf = (
  decision: Exclude<Decision, { kind: 'nothing' }>,
  id: string,
): LastDecision => ({
  kind: decision.kind,
  why: 'why' in decision ? decision.why : '',
  operation: decision.work.operation,
  reason: decision.work.reason,
  attempt: decision.work.attempt,
  id,
})

export const aboutOf = (
  pending: PendingObject,
  { work, id }: Exclude<Decision, { kind: 'nothing' }>,
): About => ({
  kind: pending.kind,
  object: objectNameOf(pending),
  id,
  operation: work.operation,
  reason: work.reason,
  attempt: work.attempt,
})
