import type { Timestamp } from '../../../shared/clock/clock.ts'
import type { ExtensionClass } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { formatStepAnnotation, type StepAnnotation } from '../../../shared/contract/step-annotation.ts'
import type { EventOperation } from '../../../shared/events/events.ts'
import { eventId } from '../../../shared/events/events.ts'
import type { Facts } from '../../../shared/lifecycle/lifecycle.ts'
import { dueWorkOf, type PieceOfWork, type StepSeen, stepEnd } from '../../../shared/lifecycle/lifecycle.ts'
import { hashOf } from '../../../shared/text/hash-of.ts'

/** The objects that this bridge is responsible for; an empty list means all, except for the classes. */
export interface Selection {
  readonly kinds: readonly KindName[]
  /** Values of `spec.class`; an object without one is of class `shoot` (docs/contract/lifecycle.md#class-and-type). */
  readonly classes: readonly ExtensionClass[]
  /** The objects that have a function. Default: all that the kinds and classes select. */
  readonly served?: readonly ServedObjects[]
  /** Namespaces of namespaced objects; cluster-scoped objects are not affected. */
  readonly namespaces: readonly string[]
}

/** Returns true if class, function and namespace select an object of a selected kind. */
export const isSelected = (
  selection: Selection,
  kind: KindName,
  facts: Facts,
  namespace: string | undefined,
): boolean => {
  const { classes, namespaces, served } = selection
  return (
    classes.some(name => name === facts.extensionClass) &&
    (served === undefined || served.some(one => isServedBy(one, kind, facts))) &&
    (namespaces.length === 0 || namespace === undefined || namespaces.includes(namespace))
  )
}

const isServedBy = (
  served: ServedObjects,
  kind: KindName,
  { provider, extensionClass }: Pick<Facts, 'provider' | 'extensionClass'>,
): boolean =>
  served.kind === kind && served.type === provider && served.classes.some(name => name === extensionClass)

/** Returns the namespace to watch if it is the only one; several are filtered from a watch of all. */
export const watchedNamespace = (selection: Selection, namespaced: boolean): string | undefined =>
  namespaced && selection.namespaces.length === 1 ? selection.namespaces[0] : undefined

/** Objects that a function serves. */
export interface ServedObjects {
  readonly kind: KindName
  /** `spec.type`. */
  readonly type: string
  /** Values of `spec.class`. */
  readonly classes: readonly ExtensionClass[]
  /** If true, the function has no health checks. */
  readonly unchecked?: boolean
}

/** A step annotation, and when this process first saw it: only its clock decides when a claim or a wait is over. */
export interface MarkedStep extends StepSeen {
  /** Equal for equal annotations. */
  readonly mark: number
}

/** The last event of an object that was sent or is being sent. Dropped once its claim is seen. */
export interface Sent {
  readonly id: string
  readonly operation: EventOperation
  readonly at: Timestamp
  /** The number of sends of this id; early events do not count. */
  readonly times: number
  /** It was sent before its time, because an awaited object had changed. */
  readonly early?: boolean
  /** The `sending` of its event, until a broker has reported that it could not deliver it. */
  readonly sending?: string
  /** A broker could not deliver it: it is sent again at this time. */
  readonly againAt?: Timestamp
}

/** The reason why due work is not sent. */
export type HoldReason = 'shoot failed' | 'no cluster'

export type WaitReason =
  /** A step has claimed the object. At the latest, the claim expires at this time. */
  | 'claimed'
  /** The object says when it is due. */
  | 'due later'
  /** A person has paused the object or its shoot until this time. */
  | 'paused'
  /** The sink has the event. If it is not claimed by this time, it is sent again. */
  | 'claim awaited'
  /** The sink has an event for the same operation; its function also sees the newer request. */
  | 'covered'
  /** The broker could not deliver the event. It is sent again at this time. */
  | 'not delivered'

/** The decision on an object. */
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

export interface Circumstances {
  readonly kind: KindName
  readonly facts: Facts
  readonly now: Timestamp
  readonly sent: Sent | undefined
  /** The first observation of its current step annotation; undefined: not recorded. */
  readonly seen?: StepSeen | undefined
  /** The time of the last event for a touch of the deleting object. */
  readonly touchedAt?: Timestamp | undefined
  /** undefined: nothing blocks it (docs/contract/lifecycle.md#preconditions). */
  readonly hold: HoldReason | undefined
  /**
   * The longest time that an accepted event may be unclaimed: the broker's retries and a cold start. Doubles with each
   * repeat.
   */
  readonly unclaimedMs: number
}

/**
 * How long a newer request for the same operation relies on the event that the sink already has. A claim normally
 * follows the event within a cold start.
 */
const coveredMs = 5_000
/** An unclaimed event is repeated at most 8 times as slowly as the first time: every 12 minutes. */
const longestStretch = 8
/**
 * Gardener's extensions retry at once when a deleting object is touched. Here, repeated touches cause at most one
 * attempt in this many ms, because the backoff protects the cloud.
 */
const touchedMs = 60_000

/** Decides on an object from its content and the last event sent for it. */
export const decide = (circumstances: Circumstances): Decision => {
  const { kind, facts, now, sent, seen, touchedAt, hold, unclaimedMs } = circumstances
  const due = dueWorkOf(kind, facts, now, seen)
  if (due.kind === 'none') return { kind: 'nothing' }
  const { operation, cause, reason, attempt, timed } = due
  const work: PieceOfWork = { operation, cause, reason, attempt, timed }
  const id = eventId(facts.uid, facts.generation, operation, work.cause)
  if (due.kind === 'later') return { kind: 'wait', at: due.at, why: whyLater(due.held), work, id }
  if (reason === 'touched' && touchedAt !== undefined && facts.step !== undefined && sent?.id !== id) {
    const at = Math.min(touchedAt + touchedMs, stepEnd(facts.step, now, seen))
    if (now < at) return { kind: 'wait', at, why: 'due later', work, id }
  }
  if (hold !== undefined) return { kind: 'hold', why: hold, work, id }
  if (sent?.id === id) {
    const repeatAt = sent.againAt ?? sent.at + unclaimedMs * Math.min(2 ** (sent.times - 1), longestStretch)
    // If an early event is lost, the regular event at the due time replaces it.
    const at =
      sent.early && facts.step !== undefined
        ? Math.min(repeatAt, Math.max(stepEnd(facts.step, now, seen), sent.at + coveredMs))
        : repeatAt
    const why = sent.againAt === undefined ? 'claim awaited' : 'not delivered'
    if (now < at) return { kind: 'wait', at, why, work, id }
  } else if (sent?.operation === operation && facts.step?.event !== sent.id) {
    const at = sent.at + coveredMs
    if (now < at) return { kind: 'wait', at, why: 'covered', work, id }
  }
  return { kind: 'send', work, id }
}

const whyLater = (held: boolean | 'paused'): WaitReason => {
  if (held === 'paused') return 'paused'
  return held ? 'claimed' : 'due later'
}

/** Returns true if the decision shows that the last event was claimed, so that no claim is awaited. */
export const isClaimSeen = ({
  kind,
  why,
}: {
  readonly kind: Decision['kind']
  readonly why?: string
}): boolean =>
  kind === 'nothing' || (kind === 'wait' && (why === 'claimed' || why === 'due later' || why === 'paused'))

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
