import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { EventOperation } from '../../shared/events/events.ts'
import { eventId } from '../../shared/events/events.ts'
import type { Facts } from '../../shared/lifecycle/lifecycle.ts'
import { dueWorkOf, type PieceOfWork, type StepSeen, stepEnd } from '../../shared/lifecycle/lifecycle.ts'

/** The last event of an object that the sink has, or is just getting. Forgotten once its claim is seen. */
export interface Sent {
  readonly id: string
  readonly operation: EventOperation
  readonly at: Timestamp
  /** How often this id was sent; what went out before its time does not count. */
  readonly times: number
  /** It went out before its time, because what the step waits for had changed. */
  readonly early?: boolean
}

/** Why nothing is sent although there is work. */
export type HoldReason = 'shoot failed' | 'no cluster'

export type WaitReason =
  /** A step has claimed the object; unless it ends before, its claim expires then. */
  | 'claimed'
  /** The object says when to look again. */
  | 'due later'
  /** The sink has the event; unless it is claimed before, it is sent again then. */
  | 'claim awaited'
  /** The sink has an event of the same operation, whose function will see the newer request too. */
  | 'covered'

/** What to do about an object. */
export type Decision =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'wait'
      readonly at: Timestamp
      readonly why: WaitReason
      readonly work: PieceOfWork
      readonly id: string
    }
  | { readonly kind: 'hold'; readonly why: HoldReason; readonly work: PieceOfWork; readonly id: string }
  | { readonly kind: 'send'; readonly work: PieceOfWork; readonly id: string }

export interface Delays {
  /** How long an accepted event may go unclaimed: the broker's retries and a cold start. Doubles with each repeat. */
  readonly unclaimedMs: number
  /** How long a newer request for the same operation counts on the event that the sink has already. */
  readonly coveredMs: number
}

export interface Circumstances {
  readonly kind: KindName
  readonly facts: Facts
  readonly now: Timestamp
  readonly sent: Sent | undefined
  /** When the step annotation that it shows was first seen; undefined: not noted. */
  readonly seen?: StepSeen | undefined
  /** When an event was sent last because somebody touched it while it is deleting. */
  readonly touchedAt?: Timestamp | undefined
  /** undefined: nothing is in the way (docs/contract/lifecycle.md#preconditions). */
  readonly hold: HoldReason | undefined
  readonly delays: Delays
}

/** An event that nobody claims is repeated at most 8 times as slowly as the first time: every 12 minutes. */
const longestStretch = 8
/**
 * Gardener's extensions try again at once when somebody touches a deleting object. Here one who touches it again and
 * again gets no more than a try in so many ms: the backoff stands for what the cloud can take.
 */
const touchedMs = 60_000

/** Decides what to do about an object, from the object and from what was sent for it last. */
export const decide = (circumstances: Circumstances): Decision => {
  const { kind, facts, now, sent, seen, touchedAt, hold, delays } = circumstances
  const due = dueWorkOf(kind, facts, now, seen)
  if (due.kind === 'none') return { kind: 'nothing' }
  const { operation, cause, reason, attempt, timed } = due
  const work: PieceOfWork = { operation, cause, reason, attempt, timed }
  const id = eventId(facts.uid, facts.generation, operation, work.cause)
  if (due.kind === 'later') {
    return { kind: 'wait', at: due.at, why: due.held ? 'claimed' : 'due later', work, id }
  }
  if (reason === 'touched' && touchedAt !== undefined && facts.step !== undefined && sent?.id !== id) {
    const at = Math.min(touchedAt + touchedMs, stepEnd(facts.step, now, seen))
    if (now < at) return { kind: 'wait', at, why: 'due later', work, id }
  }
  if (hold !== undefined) return { kind: 'hold', why: hold, work, id }
  if (sent?.id === id) {
    const repeatAt = sent.at + delays.unclaimedMs * Math.min(2 ** (sent.times - 1), longestStretch)
    // What was lost of an early one its own time brings, as if it had never been.
    const at =
      sent.early && facts.step !== undefined
        ? Math.min(repeatAt, Math.max(stepEnd(facts.step, now, seen), sent.at + delays.coveredMs))
        : repeatAt
    if (now < at) return { kind: 'wait', at, why: 'claim awaited', work, id }
  } else if (sent?.operation === operation && facts.step?.event !== sent.id) {
    const at = sent.at + delays.coveredMs
    if (now < at) return { kind: 'wait', at, why: 'covered', work, id }
  }
  return { kind: 'send', work, id }
}

/** Whether the decision shows that the event sent last was claimed, so that nothing is awaited any longer. */
export const isSettled = ({
  kind,
  why,
}: {
  readonly kind: Decision['kind']
  readonly why?: string
}): boolean => kind === 'nothing' || (kind === 'wait' && (why === 'claimed' || why === 'due later'))
