import type { KindName } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../../shared/lifecycle/lifecycle.ts'
import { isRequestOpen, type StepWatch } from '../../observers/outcomes/step-watch.ts'
import { withChange } from '../awaited/wake.ts'
import type { Delays } from '../objects/decide.ts'
import { markStep } from '../objects/marked-step.ts'
import { lastErrorOf, neededSince } from '../objects/needed-since.ts'
import { idOf, keyOf, newPendingObject, noteClaim } from '../objects/pending-object.ts'
import { createPendingObjects, type PendingObjectsOptions } from '../objects/pending-objects.ts'
import { rowOf, type Tally, tallyOf, type WaitingRow } from '../objects/waiting.ts'
import type { Queue, WorkResult } from '../queue/queue-types.ts'
import { createWorker, type WorkerOptions } from './worker.ts'

/** Converts observed objects into keys of the queue, and keys into events. */
export interface Dispatcher {
  upsert(kind: KindName, object: KubernetesObject, initial: boolean): void
  deleted(kind: KindName, key: ObjectKey): void
  /**
   * The awaited objects of a kind in a namespace have changed. `complete`: as far as this change shows, nothing there
   * is left to wait for.
   */
  awaitedChanged(kind: KindName, namespace: string, complete: boolean): void
  /** The result of the preconditions may have changed for the objects of this namespace. */
  reconsider(namespace: string): void
  /** Processes one key of the queue. */
  work(id: string, signal: AbortSignal): Promise<WorkResult>
  waiting(): readonly WaitingRow[]
  /** Returns the counts by kind, in one pass over all open objects; a kind without any is absent. */
  tally(): ReadonlyMap<KindName, Tally>
}

export interface DispatcherOptions extends WorkerOptions, PendingObjectsOptions {
  readonly queue: Pick<Queue, 'add' | 'addAt' | 'forget' | 'item' | 'works'>
  readonly stepWatch: Pick<StepWatch, 'upsert' | 'forget'>
  // Both need all of it.
  readonly delays: Delays
}

export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { clock, queue, served, stepWatch } = options
  const pendingObjects = createPendingObjects(options)

  const drop = (id: string, how?: 'arrived') => {
    pendingObjects.remove(id, how)
    queue.forget(id)
  }

  const upsert = (kind: KindName, object: KubernetesObject, initial: boolean) => {
    const { namespace, uid } = object.metadata
    const id = idOf(kind, object.metadata)
    const facts = factsOf(object)
    if (!pendingObjects.isOurs(kind, facts, namespace)) {
      stepWatch.forget(id, 'not ours')
      return drop(id)
    }
    const present = pendingObjects.all.get(id)
    const known = present?.uid === uid ? present : undefined
    if (present !== undefined && known === undefined) drop(id)
    if (facts.step !== undefined) served.note(kind, facts.provider)
    const step = markStep(known?.step, facts.step, clock.now(), !initial)
    if (known !== undefined) noteClaim(known, facts, step)
    const decision = pendingObjects.decide(kind, facts, namespace, { ...known, step })
    const needed = decision.kind === 'nothing' ? undefined : neededSince(object, facts, decision.work)
    stepWatch.upsert({ kind, object, facts, isOpen: isRequestOpen(decision, facts), needed, initial })
    if (decision.kind === 'nothing') return drop(id, 'arrived')
    const pending = known ?? newPendingObject(id, kind, uid, clock.now())
    const asksAnew = pending.lastDecision !== undefined && pending.lastDecision.id !== decision.id
    pendingObjects.add(pending)
    pending.seen++
    pending.step = step
    pending.parked = undefined
    if (asksAnew) {
      pending.refusals = 0
      pending.breaks = 0
    }
    pending.needed = needed
    pending.error = lastErrorOf(object)
    pending.priority = initial ? 'low' : 'fresh'
    pendingObjects.note(pending, decision)
    pendingObjects.keep(pending, decision.kind === 'send' ? object : undefined)
    switch (decision.kind) {
      case 'send':
        return queue.add(id, kind, pending.priority, asksAnew)
      case 'wait':
        return queue.addAt(id, kind, decision.at)
      case 'hold':
        return queue.forget(id)
    }
  }

  return {
    upsert,
    awaitedChanged: (kind, namespace, complete) => {
      for (const pending of pendingObjects.inNamespace(kind, namespace)) {
        const wake = withChange(pending.wake, complete, clock.now(), pending.woken)
        pending.wake = wake
        // A claimed or running step is decided on again when it ends; a backoff does not wait for anything.
        const { lastDecision } = pending
        if (lastDecision?.operation !== 'continue' || lastDecision.why !== 'due later') continue
        const at = queue.item(pending.id)?.at
        if (at === undefined || wake.at < at) queue.addAt(pending.id, kind, wake.at)
      }
    },
    deleted: (kind, key) => {
      const id = idOf(kind, key)
      stepWatch.forget(id, 'deleted')
      drop(id)
    },
    reconsider: namespace => {
      for (const pending of pendingObjects.all.values()) {
        const { id, kind, lastDecision, priority } = pending
        if (lastDecision?.kind === 'hold' && keyOf(pending).namespace === namespace)
          queue.add(id, kind, priority)
      }
    },
    work: createWorker(pendingObjects, options),
    waiting: () => [...pendingObjects.all.values()].map(pending => rowOf(pending, queue.item(pending.id))),
    tally: () => tallyOf(pendingObjects.all.values()),
  }
}
