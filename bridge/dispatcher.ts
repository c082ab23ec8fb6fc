import type { Clock } from '../shared/clock/clock.ts'
import { annotations } from '../shared/contract/constants.ts'
import { type KindName, kinds } from '../shared/contract/kinds.ts'
import { buildEvent } from '../shared/events/build.ts'
import type { ExtensionEvent } from '../shared/events/event.ts'
import type { Send } from '../shared/events/send.ts'
import { traceparentOf } from '../shared/events/trace-context.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../shared/kubernetes/port.ts'
import type { Log } from '../shared/lifecycle/actuator.ts'
import { type Facts, factsOf } from '../shared/lifecycle/facts.ts'
import { seenOf, touchedWhileDeleting } from '../shared/lifecycle/seen.ts'
import type { About, Observe } from './bridge-event.ts'
import { type Decision, type Delays, decide, type HoldReason, isSettled, type Sent } from './decide.ts'
import { emit } from './emitter.ts'
import { aboutOf, type Entry, idOf, keyOf, newEntry, objectNameOf, standingOf } from './entry.ts'
import { createKeptObjects, objectOf } from './kept-objects.ts'
import type { Queue, WorkResult } from './queue-types.ts'
import { isSelected, type Selection } from './selection.ts'
import { rowOf, type Tally, tallyOf, type WaitingRow } from './waiting.ts'

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

export interface DispatcherOptions {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly send: Send
  readonly clock: Clock
  readonly log: Log
  readonly selection: Selection
  /** `source` of the events. */
  readonly source: string
  readonly delays: Delays
  readonly hold: (kind: KindName, namespace: string | undefined) => HoldReason | undefined
  readonly queue: Pick<Queue, 'add' | 'addAt' | 'forget' | 'item'>
  /** Asked right before each event goes out: the time since its turn began may have been long. */
  readonly maySend: () => boolean
  readonly observe: Observe
}

/** After a failed read. */
const readAgainMs = 2_000

export const createDispatcher = (options: DispatcherOptions): Dispatcher => {
  const { kubernetes, send, clock, log, selection, source, delays, hold, queue, maySend, observe } = options
  const entries = new Map<string, Entry>()
  const kept = createKeptObjects()

  const keep = (entry: Entry, object: KubernetesObject | undefined) => {
    if (entry.object !== undefined) kept.release(entry.object)
    entry.object = object && kept.keep(object)
  }

  const drop = (id: string) => {
    const entry = entries.get(id)
    if (entry !== undefined) keep(entry, undefined)
    entries.delete(id)
    queue.forget(id)
  }

  const decideOn = (
    kind: KindName,
    facts: Facts,
    namespace: string | undefined,
    { sent, touched }: Partial<Pick<Entry, 'sent' | 'touched'>>,
  ) => decide({ kind, facts, now: clock.now(), sent, touched, hold: hold(kind, namespace), delays })

  const isOurs = (facts: Facts, namespace: string | undefined) => isSelected(selection, facts, namespace)

  /** Notes the decision on the entry and tells the observers when it is a new one. */
  const note = (entry: Entry, decision: Exclude<Decision, { kind: 'nothing' }>) => {
    const before = entry.standing?.id === decision.id ? entry.standing : undefined
    // What waited by order, or for its shoot, is needed only from now on; a repeated event is as old as the first.
    if (!before || (decision.kind === 'send' && (before.kind === 'hold' || isSettled(before)))) {
      entry.since = clock.now()
    }
    if (isSettled(decision)) entry.sent = undefined
    const standing = standingOf(decision, before?.id ?? decision.id)
    entry.standing = standing
    if (before?.kind === standing.kind && before.why === standing.why) return
    const about = aboutOf(entry, decision)
    if (decision.kind === 'hold') observe({ type: 'held', why: decision.why, ...about })
    else if (decision.kind === 'wait')
      observe({ type: 'later', at: decision.at, why: decision.why, ...about })
    else observe({ type: 'due', initial: entry.priority === 'low', ...about })
  }

  const upsert = (kind: KindName, object: KubernetesObject, initial: boolean) => {
    const { name, namespace, uid } = object.metadata
    const id = idOf(kind, namespace === undefined ? { name } : { name, namespace })
    const facts = factsOf(object)
    if (!isOurs(facts, namespace)) return drop(id)
    const present = entries.get(id)
    const known = present?.uid === uid ? present : undefined
    if (present !== undefined && known === undefined) drop(id)
    const isTouched = known?.before !== undefined && touchedWhileDeleting(known.before, object)
    // Further touches change nothing until a step has noticed the first.
    const touched = isTouched ? (known.touched ?? facts.resourceVersion) : undefined
    const decision = decideOn(kind, facts, namespace, { sent: known?.sent, touched })
    if (decision.kind === 'nothing') return drop(id)
    const entry = known ?? newEntry(id, kind, uid, clock.now())
    entries.set(id, entry)
    entry.seen++
    entry.parked = undefined
    entry.before = facts.deletionTimestamp === undefined ? undefined : seenOf(object)
    entry.touched = touched
    entry.priority = initial ? 'low' : 'fresh'
    note(entry, decision)
    keep(entry, decision.kind === 'send' ? object : undefined)
    switch (decision.kind) {
      case 'send':
        return queue.add(id, kind, entry.priority)
      case 'wait':
        return queue.addAt(id, kind, decision.at)
      case 'hold':
        return queue.forget(id)
    }
  }

  /** The object as kept, or as read now; `stale`: something newer was seen meanwhile, and asked for what it needs. */
  const read = async (entry: Entry, signal: AbortSignal): Promise<KubernetesObject | 'gone' | 'stale'> => {
    if (entry.object !== undefined) return objectOf(entry.object)
    const { seen } = entry
    const object = await kubernetes.get(kinds[entry.kind].resource, keyOf(entry), { signal })
    if (entries.get(entry.id) !== entry || entry.seen !== seen) return 'stale'
    return object === undefined || object.metadata.uid !== entry.uid ? 'gone' : object
  }

  const work = async (id: string, signal: AbortSignal): Promise<WorkResult> => {
    const entry = entries.get(id)
    if (entry === undefined) return nothingMore
    let object: KubernetesObject | 'gone' | 'stale'
    try {
      object = await read(entry, signal)
    } catch (error) {
      log.warn('reading an object failed', { kind: entry.kind, object: objectNameOf(entry), error })
      return { kind: 'again', at: clock.now() + readAgainMs, answered: false }
    }
    if (object === 'stale') return nothingMore
    const facts = object === 'gone' ? undefined : factsOf(object)
    if (object === 'gone' || facts === undefined || !isOurs(facts, object.metadata.namespace)) {
      // The queue lets go of it with the result; forgetting it there would count as asked meanwhile.
      keep(entry, undefined)
      entries.delete(id)
      return nothingMore
    }
    const decision = decideOn(entry.kind, facts, object.metadata.namespace, entry)
    if (decision.kind === 'nothing') {
      keep(entry, undefined)
      entries.delete(id)
      return nothingMore
    }
    note(entry, decision)
    if (decision.kind === 'send') return sendOne(entry, object, decision, signal)
    keep(entry, undefined)
    return decision.kind === 'wait' ? { kind: 'again', at: decision.at, answered: false } : nothingMore
  }

  const sendOne = async (
    entry: Entry,
    object: KubernetesObject,
    decision: Extract<Decision, { kind: 'send' }>,
    signal: AbortSignal,
  ): Promise<WorkResult> => {
    if (!maySend()) return { kind: 'again', at: clock.now(), answered: false }
    const about = aboutOf(entry, decision)
    const began = clock.now()
    let event: ExtensionEvent
    try {
      const traceparent = traceparentOf(decision.id, object.metadata.annotations?.[annotations.traceparent])
      event = buildEvent({
        object,
        kind: entry.kind,
        source,
        now: entry.since,
        traceparent,
        ...decision.work,
      })
    } catch (error) {
      park(entry, about, 0, error instanceof Error ? error.message : String(error))
      return nothingMore
    }
    const before = entry.sent
    const mine: Sent = {
      // Of the same text the one that is kept already.
      id: entry.standing?.id ?? event.id,
      operation: event.operation,
      at: began,
      times: before?.id === event.id ? before.times + 1 : 1,
    }
    // Noted before the answer: the claim may be seen sooner, and takes the note away again.
    entry.sent = mine
    const { seen, since } = entry
    observe({ type: 'emitted', times: mine.times, ...about })
    const verdict = await emit(send, event, signal)
    const isLive = entries.get(entry.id) === entry && entry.sent === mine
    const now = clock.now()
    switch (verdict.kind) {
      case 'accepted': {
        observe({ type: 'accepted', times: mine.times, tookMs: now - began, lagMs: now - since, ...about })
        if (entry.seen === seen) keep(entry, undefined)
        if (!isLive) return { kind: 'finished', answered: true }
        entry.sent = { ...mine, at: now }
        const facts = factsOf(object)
        const next = decideOn(entry.kind, facts, object.metadata.namespace, entry)
        if (next.kind !== 'nothing' && entry.seen === seen) note(entry, next)
        return {
          kind: 'again',
          at: next.kind === 'wait' ? next.at : now + delays.unclaimedMs,
          answered: true,
        }
      }
      case 'retry':
        if (isLive) entry.sent = before
        observe({
          type: 'retried',
          why: verdict.reason,
          status: verdict.status,
          code: verdict.code,
          ...about,
        })
        return { kind: 'failed', afterMs: verdict.afterMs }
      case 'park':
        if (isLive) entry.sent = before
        if (isLive && entry.seen === seen) park(entry, about, verdict.status, verdict.reason)
        return { kind: 'finished', answered: true }
    }
  }

  const park = (entry: Entry, about: About, status: number, why: string) => {
    entry.parked = why
    keep(entry, undefined)
    observe({ type: 'parked', status, why, ...about })
  }

  return {
    upsert,
    deleted: (kind, key) => drop(idOf(kind, key)),
    reconsider: namespace => {
      for (const entry of entries.values()) {
        const { id, kind, standing, priority } = entry
        if (standing?.kind === 'hold' && keyOf(entry).namespace === namespace) queue.add(id, kind, priority)
      }
    },
    work,
    waiting: () => [...entries.values()].map(entry => rowOf(entry, queue.item(entry.id))),
    tally: () => tallyOf(entries.values()),
  }
}

const nothingMore: WorkResult = { kind: 'finished', answered: false }
