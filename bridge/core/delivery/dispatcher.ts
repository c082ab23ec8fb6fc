import { annotations } from '../../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../../shared/contract/kinds.ts'
import type { Queue, WaitingRow, WorkResult } from '../../../shared/event-queue/event-queue.ts'
import type { ExtensionEvent } from '../../../shared/events/events.ts'
import { buildEvent, traceparentOf } from '../../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../../shared/log/log.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { withChange } from '../awaited/wake.ts'
import { type Decision, isSelected, markStep, type Selection } from '../objects/decide.ts'
import {
  aboutOf,
  createPendingObjects,
  idOf,
  keyOf,
  lastErrorOf,
  neededSince,
  newPendingObject,
  noteClaim,
  objectNameOf,
  objectOf,
  type PendingObject,
  type PendingObjectsOptions,
} from '../objects/pending-objects.ts'
import { rowOf, type Tally, tallyOf } from '../objects/waiting.ts'
import type { Observer } from '../observer.ts'
import { createDelivery, type DeliveryOptions } from './delivery.ts'
import { createLostEvents, type LostEvent, type LostResult } from './lost-event.ts'

/** Converts observed objects into keys of the queue, and keys into events. */
export interface Dispatcher {
  upsert(kind: KindName, object: KubernetesObject, initial: boolean): void
  deleted(kind: KindName, key: ObjectKey): void
  /**
   * The awaited objects of a kind in a namespace have changed. `complete`: as far as this change shows, nothing there
   * is left to wait for.
   */
  awaitedChanged(kind: KindName, namespace: string, complete: boolean): void
  /**
   * The result of the preconditions may have changed for the objects of this namespace. `pauses`: also for those that
   * wait, because a pause begins or ends.
   */
  reconsider(namespace: string, pauses: boolean): void
  /** Processes one key of the queue: decides again on its object, and sends its event. */
  work(id: string, signal: AbortSignal): Promise<WorkResult>
  /** A broker could not deliver an event. Sends it again after a wait, if its object still needs it. */
  lost(event: LostEvent): LostResult
  waiting(): readonly WaitingRow[]
  /** Returns the counts by kind, in one pass over all open objects; a kind without any is absent. */
  tally(): ReadonlyMap<KindName, Tally>
}

export interface DispatcherOptions extends DeliveryOptions, PendingObjectsOptions {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly log: Log
  readonly selection: Selection
  /** `source` of the events. */
  readonly source: string
  /** Called right before each event is sent: much time may have passed since the work on its key began. */
  readonly maySend: () => boolean
  readonly queue: Pick<Queue, 'add' | 'addAt' | 'forget' | 'item' | 'works'>
  readonly observers: Required<Pick<Observer, 'objectSeen' | 'objectDeleted'>>
}

/** The wait after a failed read. */
const readAgainMs = 2_000

export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { kubernetes, clock, log, selection, source, maySend, queue, served, observers } = options
  const pendingObjects = createPendingObjects(options)
  const deliver = createDelivery(pendingObjects, options)
  const lost = createLostEvents({ ...options, pendingObjects })
  const { all } = pendingObjects

  const drop = (id: string, how?: 'arrived') => {
    pendingObjects.remove(id, how)
    queue.forget(id)
  }

  const upsert = (kind: KindName, object: KubernetesObject, initial: boolean) => {
    const { namespace, uid } = object.metadata
    const id = idOf(kind, object.metadata)
    const facts = factsOf(object)
    if (!isSelected(selection, kind, facts, namespace)) {
      observers.objectSeen({ kind, object, facts, initial, decision: undefined })
      return drop(id)
    }
    const present = all.get(id)
    const known = present?.uid === uid ? present : undefined
    if (present !== undefined && known === undefined) drop(id)
    if (facts.step !== undefined) served.note(kind, facts.provider)
    const step = markStep(known?.step, facts.step, clock.now(), !initial)
    if (known !== undefined) noteClaim(known, facts, step)
    const decision = pendingObjects.decide(kind, facts, namespace, { ...known, step })
    observers.objectSeen({ kind, object, facts, initial, decision })
    if (decision.kind === 'nothing') return drop(id, 'arrived')
    const pending = known ?? newPendingObject(id, kind, uid, clock.now())
    const isRequestedAgain = pending.lastDecision !== undefined && pending.lastDecision.id !== decision.id
    pendingObjects.add(pending)
    pending.seen++
    pending.step = step
    pending.parked = undefined
    if (isRequestedAgain) {
      pending.refusals = 0
      pending.breaks = 0
      pending.losses = 0
    }
    pending.needed = neededSince(object, facts, decision.work, clock.now())
    pending.error = lastErrorOf(object)
    pending.priority = initial ? 'low' : 'fresh'
    pendingObjects.note(pending, decision)
    pendingObjects.cache(pending, decision.kind === 'send' ? object : undefined)
    switch (decision.kind) {
      case 'send':
        return queue.add(id, kind, pending.priority, isRequestedAgain)
      case 'wait':
        return queue.addAt(id, kind, decision.at)
      case 'hold':
        return queue.forget(id)
    }
  }

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

  /** The queue removes a key without more work; removing it here would count as a new request. */
  const remove = (id: string): WorkResult => {
    pendingObjects.remove(id)
    return nothingMore
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
    if (object === 'gone') return remove(id)
    const facts = factsOf(object)
    const { namespace } = object.metadata
    if (!isSelected(selection, pending.kind, facts, namespace)) return remove(id)
    // The read may be ahead of the watch, which delivers the same version later.
    const step = markStep(pending.step, facts.step, clock.now(), true)
    noteClaim(pending, facts, step)
    pending.step = step
    const decision = pendingObjects.decide(pending.kind, facts, namespace, pending)
    if (decision.kind === 'nothing') return remove(id)
    pendingObjects.note(pending, decision)
    if (decision.kind !== 'send') {
      pendingObjects.cache(pending, undefined)
      return decision.kind === 'wait' ? { kind: 'again', at: decision.at, answered: false } : nothingMore
    }
    const event = eventOf(pending, object, decision)
    if (event === undefined) return nothingMore
    if (!maySend()) return { kind: 'again', at: clock.now(), answered: false }
    pending.parked = undefined
    // Only the event waits for the sink, never the object: thirty of 1.5 MB would use too much memory.
    return deliver(pending, { event, facts, about: aboutOf(pending, decision) }, signal)
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
      pendingObjects.park(pending, aboutOf(pending, decision), 0, messageOf(error))
      return undefined
    }
  }

  return {
    upsert,
    deleted: (kind, key) => {
      observers.objectDeleted(kind, key)
      drop(idOf(kind, key))
    },
    awaitedChanged: (kind, namespace, complete) => {
      for (const pending of pendingObjects.inNamespace(kind, namespace)) {
        const wake = withChange(pending.wake, complete, clock.now(), pending.woken)
        pending.wake = wake
        // A claimed or running step is decided on again when it ends; a backoff does not wait for anything.
        const { lastDecision } = pending
        if (lastDecision?.operation !== 'continue' || lastDecision.why !== 'due later') continue
        const at = queue.item(pending.id)?.at
        if (at !== undefined && wake.at < at) queue.addAt(pending.id, kind, wake.at)
      }
    },
    reconsider: (namespace, pauses) => {
      for (const pending of all.values()) {
        const { id, kind, lastDecision, priority } = pending
        const isChanged = lastDecision?.kind === 'hold' || (pauses && lastDecision?.kind === 'wait')
        if (isChanged && keyOf(pending).namespace === namespace) queue.add(id, kind, priority)
      }
    },
    work,
    lost,
    waiting: () => [...all.values()].map(pending => rowOf(pending, queue.item(pending.id))),
    tally: () => tallyOf(all.values()),
  }
}

const nothingMore: WorkResult = { kind: 'finished', answered: false }
