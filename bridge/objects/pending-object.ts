import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { keyOfId, idOf as nameOf } from '../../shared/kubernetes/kubernetes.ts'
import type { Facts, PieceOfWork } from '../../shared/lifecycle/lifecycle.ts'
import { type Wake, type Woken, withClaimSeen } from '../awaited/wake.ts'
import type { About } from '../bridge-event.ts'
import type { Priority } from '../queue/queue-types.ts'
import type { Decision, HoldReason, Sent, WaitReason } from './decide.ts'
import type { KeptObject } from './kept-objects.ts'
import type { MarkedStep } from './marked-step.ts'

/**
 * What is remembered of a decision: enough to tell the next one from it and to show what waits. The rest is worked out
 * again when the turn comes. Fifty thousand of them fit.
 */
export interface LastDecision {
  readonly kind: Exclude<Decision['kind'], 'nothing'>
  /** '' when it is to be sent. */
  readonly why: WaitReason | HoldReason | ''
  readonly operation: PieceOfWork['operation']
  readonly reason: PieceOfWork['reason']
  readonly attempt: number
  readonly id: string
}

/** An object that has something open. Objects that need nothing have no entry. */
export interface PendingObject {
  /** By `idOf`; the key is in it. */
  readonly id: string
  readonly kind: KindName
  readonly uid: string | undefined
  /** Kept only until it is sent, and only within bounds; otherwise it is read when its turn comes. */
  object: KeptObject | undefined
  /** Counts what was seen of the object, to tell whether something came in between. */
  seen: number
  priority: Priority
  /** The decision that stands; undefined before the first. */
  lastDecision: LastDecision | undefined
  /** When the need of the decision's event was seen. */
  since: Timestamp
  /** When the object began to need it, as the object itself tells; undefined: it does not. */
  needed: Timestamp | undefined
  /** Since when it shows the step annotation that it shows. */
  step: MarkedStep | undefined
  /** When an event was sent last because somebody touched it while it is deleting. */
  touchedAt: Timestamp | undefined
  /** What its step waits for has changed. */
  wake: Wake | undefined
  /** The events that it got for that. */
  woken: Woken | undefined
  sent: Sent | undefined
  /** Called when the object shows that what was sent for it has arrived, or when nobody waits for that any more. */
  settled: ((how: 'arrived' | 'forgotten') => void) | undefined
  parked: string | undefined
  /** How often in a row the sink has refused its event. */
  refusals: number
  /** How often in a row the connection of its event broke after a while. */
  breaks: number
  /** Why the sink did not take it the last time. */
  failure: string | undefined
  /** What the last step wrote down as its error. */
  error: string | undefined
}

export const idOf = (kind: KindName, key: ObjectKey): string => `${kind} ${nameOf(key)}`

/** What of the id says which object of its kind it is. */
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
 * Notes what a claim that the object shows for the first time says about changes of what its steps wait for. Call it before
 * `step` becomes the entry's.
 */
export const noteClaim = (pending: PendingObject, facts: Facts, step: MarkedStep | undefined): void => {
  if (pending.wake === undefined || facts.step === undefined || step?.mark === pending.step?.mark) return
  if (facts.step.event === pending.sent?.id) pending.wake = withClaimSeen(pending.wake, pending.woken)
  // Somebody else has sent it: what was seen before its claim, its step reads.
  else if (facts.step.phase === 'claimed') pending.wake = undefined
}

/** `id`: the same text where it is at hand already. */
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
