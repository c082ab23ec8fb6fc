import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { messageOf } from '../../shared/contract/message-of.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { buildEvent, traceparentOf } from '../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type Facts, factsOf } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import type { Decision } from '../objects/decide.ts'
import { objectOf } from '../objects/kept-objects.ts'
import { markStep } from '../objects/marked-step.ts'
import { aboutOf, keyOf, noteClaim, objectNameOf, type PendingObject } from '../objects/pending-object.ts'
import type { PendingObjects } from '../objects/pending-objects.ts'
import type { QueueOptions, WorkResult } from '../queue/queue-types.ts'
import { createDelivery, type DeliveryOptions } from './delivery.ts'

export interface WorkerOptions extends DeliveryOptions {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly log: Log
  /** `source` of the events. */
  readonly source: string
  /** Called right before each event is sent: much time may have passed since its turn began. */
  readonly maySend: () => boolean
}

/** The wait after a failed read. */
const readAgainMs = 2_000

/** Processes the queue: decides again on the object of a key, and sends its event. */
export const createWorker = (
  pendingObjects: PendingObjects,
  options: WorkerOptions,
): QueueOptions['work'] => {
  const { kubernetes, clock, log, source, maySend } = options
  const { all } = pendingObjects
  const deliver = createDelivery(pendingObjects, options)

  /**
   * The stored object, or the object as read now; `stale`: a newer version was seen meanwhile, and has scheduled its
   * own work.
   */
  const read = async (
    pending: PendingObject,
    signal: AbortSignal,
  ): Promise<KubernetesObject | 'gone' | 'stale'> => {
    if (pending.object !== undefined) return objectOf(pending.object)
    const { seen } = pending
    const object = await kubernetes.get(kinds[pending.kind].resource, keyOf(pending), { signal })
    if (all.get(pending.id) !== pending || pending.seen !== seen) return 'stale'
    return object === undefined || object.metadata.uid !== pending.uid ? 'gone' : object
  }

  const work = async (id: string, signal: AbortSignal): Promise<WorkResult> => {
    const pending = all.get(id)
    if (pending === undefined) return nothingMore
    let object: KubernetesObject | 'gone' | 'stale'
    try {
      object = await read(pending, signal)
    } catch (error) {
      log.warn('cannot read object', { kind: pending.kind, object: objectNameOf(pending), error })
      return { kind: 'again', at: clock.now() + readAgainMs, answered: false }
    }
    if (object === 'stale') return nothingMore
    const facts = object === 'gone' ? undefined : factsOf(object)
    if (
      object === 'gone' ||
      facts === undefined ||
      !pendingObjects.isOurs(pending.kind, facts, object.metadata.namespace)
    ) {
      // The queue removes the key after this result; removing it here would count as a new request.
      pendingObjects.remove(id)
      return nothingMore
    }
    // The read may be ahead of the watch, which delivers the same version later.
    const step = markStep(pending.step, facts.step, clock.now(), true)
    noteClaim(pending, facts, step)
    pending.step = step
    const decision = pendingObjects.decide(pending.kind, facts, object.metadata.namespace, pending)
    if (decision.kind === 'nothing') {
      pendingObjects.remove(id)
      return nothingMore
    }
    pendingObjects.note(pending, decision)
    if (decision.kind === 'send') {
      // Only the event waits for the sink, never the object: thirty of 1.5 MB would use too much memory.
      const event = eventOf(pending, object, decision)
      return event === undefined ? nothingMore : sendOne(pending, event, facts, decision, signal)
    }
    pendingObjects.keep(pending, undefined)
    return decision.kind === 'wait' ? { kind: 'again', at: decision.at, answered: false } : nothingMore
  }

  /** Returns the event of the decision. Returns undefined if the object cannot have one; it is then parked. */
  const eventOf = (
    pending: PendingObject,
    object: KubernetesObject,
    decision: Extract<Decision, { kind: 'send' }>,
  ): ExtensionEvent | undefined => {
    const { operation, cause, reason, attempt } = decision.work
    try {
      const carried = object.metadata.annotations?.[annotations.traceparent]
      return buildEvent({
        object,
        kind: pending.kind,
        source,
        now: pending.since,
        traceparent: traceparentOf(decision.id, carried),
        operation,
        cause,
        reason,
        attempt,
      })
    } catch (error) {
      const why = messageOf(error)
      pendingObjects.park(pending, aboutOf(pending, decision), 0, why)
      return undefined
    }
  }

  const sendOne = (
    pending: PendingObject,
    event: ExtensionEvent,
    facts: Facts,
    decision: Extract<Decision, { kind: 'send' }>,
    signal: AbortSignal,
  ): WorkResult | Promise<WorkResult> => {
    if (!maySend()) return { kind: 'again', at: clock.now(), answered: false }
    pending.parked = undefined
    return deliver(pending, { event, facts, about: aboutOf(pending, decision) }, signal)
  }

  return work
}

const nothingMore: WorkResult = { kind: 'finished', answered: false }
