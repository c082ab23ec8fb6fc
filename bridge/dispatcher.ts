import type { KindName } from '../shared/contract/kinds.ts'
import type { KubernetesObject, ObjectKey } from '../shared/kubernetes/port.ts'
import { factsOf } from '../shared/lifecycle/facts.ts'
import type { Delays } from './decide.ts'
import { idOf, keyOf, newEntry } from './entry.ts'
import { createEntryBook, type EntryBookOptions } from './entry-book.ts'
import { markStep } from './marked-step.ts'
import { lastErrorOf, neededSince } from './needed-since.ts'
import type { Queue, WorkResult } from './queue-types.ts'
import { rowOf, type Tally, tallyOf, type WaitingRow } from './waiting.ts'
import { createWorker, type WorkerOptions } from './worker.ts'

/** Turns what is seen of objects into keys of the queue, and keys of the queue into events. */
export interface Dispatcher {
  upsert(kind: KindName, object: KubernetesObject, initial: boolean): void
  deleted(kind: KindName, key: ObjectKey): void
  /** The answer of the preconditions may have changed for the objects of this namespace. */
  reconsider(namespace: string): void
  /** The queue's work. */
  work(id: string, signal: AbortSignal): Promise<WorkResult>
  waiting(): readonly WaitingRow[]
  /** By kind, one pass over everything that is open; a kind with nothing open is absent. */
  tally(): ReadonlyMap<KindName, Tally>
}

export interface DispatcherOptions extends WorkerOptions, EntryBookOptions {
  readonly queue: Pick<Queue, 'add' | 'addAt' | 'forget' | 'item' | 'works'>
  // Both need the whole of it.
  readonly delays: Delays
}

export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { clock, queue, served } = options
  const book = createEntryBook(options)

  const drop = (id: string, how?: 'arrived') => {
    book.remove(id, how)
    queue.forget(id)
  }

  const upsert = (kind: KindName, object: KubernetesObject, initial: boolean) => {
    const { namespace, uid } = object.metadata
    const id = idOf(kind, object.metadata)
    const facts = factsOf(object)
    if (!book.isOurs(facts, namespace)) return drop(id)
    const present = book.entries.get(id)
    const known = present?.uid === uid ? present : undefined
    if (present !== undefined && known === undefined) drop(id)
    if (facts.step !== undefined) served.note(kind, facts.provider)
    const step = markStep(known?.step, facts.step, clock.now(), !initial)
    const decision = book.decide(kind, facts, namespace, { ...known, step })
    if (decision.kind === 'nothing') return drop(id, 'arrived')
    const entry = known ?? newEntry(id, kind, uid, clock.now())
    const asksAnew = entry.standing !== undefined && entry.standing.id !== decision.id
    book.add(entry)
    entry.seen++
    entry.step = step
    entry.parked = undefined
    if (asksAnew) {
      entry.refusals = 0
      entry.breaks = 0
    }
    entry.needed = neededSince(object, facts, decision.work)
    entry.error = lastErrorOf(object)
    entry.priority = initial ? 'low' : 'fresh'
    book.note(entry, decision)
    book.keep(entry, decision.kind === 'send' ? object : undefined)
    switch (decision.kind) {
      case 'send':
        return queue.add(id, kind, entry.priority, asksAnew)
      case 'wait':
        return queue.addAt(id, kind, decision.at)
      case 'hold':
        return queue.forget(id)
    }
  }

  return {
    upsert,
    deleted: (kind, key) => drop(idOf(kind, key)),
    reconsider: namespace => {
      for (const entry of book.entries.values()) {
        const { id, kind, standing, priority } = entry
        if (standing?.kind === 'hold' && keyOf(entry).namespace === namespace) queue.add(id, kind, priority)
      }
    },
    work: createWorker(book, options),
    waiting: () => [...book.entries.values()].map(entry => rowOf(entry, queue.item(entry.id))),
    tally: () => tallyOf(book.entries.values()),
  }
}
