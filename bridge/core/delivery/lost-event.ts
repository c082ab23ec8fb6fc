import type { Clock } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { Queue } from '../../../shared/event-queue/event-queue.ts'
import type { ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import type { Observe } from '../core-event.ts'
import { idOf, objectNameOf, type PendingObject, type PendingObjects } from '../objects/pending-objects.ts'

/** The report of a broker that it could not deliver an event, as the dead letter contains it. */
export interface LostEvent {
  readonly kind: KindName
  readonly key: ObjectKey
  /** The id of the event. */
  readonly id: string
  /** The `sending` of the event: the proof that the report comes from a program that got the event. */
  readonly sending: string
  /** For logs and users. */
  readonly why: string
}

/** `outdated`: the object changed or was claimed meanwhile, the event was sent again, or the report has no proof. */
export type LostResult = 'sent again' | 'outdated'

/**
 * The first wait before an event that the broker could not deliver is sent again. It is four times as long after each
 * further failure: each has all retries of the broker behind it.
 */
const firstLostMs = 1_000
const longestLostMs = 720_000

/** The report counts once, and only for the last sending of the event. */
const isProved = ({ sent }: PendingObject, { id, sending }: LostEvent): boolean =>
  sent?.sending !== undefined && sent.id === id && sent.sending === sending

/** Creates the receiver of reports. The event is decided on again, and so sent only if its object still allows it. */
export const createLostEvents =
  (options: {
    readonly pendingObjects: Pick<PendingObjects, 'all'>
    readonly clock: Pick<Clock, 'now'>
    readonly queue: Pick<Queue, 'addAt'>
    readonly observe: Observe
  }) =>
  (lost: LostEvent): LostResult => {
    const { pendingObjects, clock, queue, observe } = options
    const pending = pendingObjects.all.get(idOf(lost.kind, lost.key))
    const { sent, lastDecision } = pending ?? {}
    if (pending === undefined || sent === undefined || !isProved(pending, lost)) return 'outdated'
    const at = clock.now() + Math.min(firstLostMs * 4 ** pending.losses++, longestLostMs)
    const { sending: _, ...rest } = sent
    pending.sent = { ...rest, againAt: at }
    pending.failure = lost.why
    if (lastDecision === undefined || lastDecision.id !== sent.id) return 'outdated'
    const { operation, reason, attempt, id } = lastDecision
    if (lastDecision.kind === 'wait') pending.lastDecision = { ...lastDecision, why: 'not delivered' }
    observe({
      type: 'lost',
      why: lost.why,
      times: pending.losses,
      at,
      uid: pending.uid ?? '',
      ...{ kind: pending.kind, object: objectNameOf(pending), id, operation, reason, attempt },
    })
    if (lastDecision.kind !== 'hold') queue.addAt(pending.id, pending.kind, at)
    return 'sent again'
  }
