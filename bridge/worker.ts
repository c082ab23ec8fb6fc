import type { Clock } from '../shared/clock/clock.ts'
import { annotations } from '../shared/contract/constants.ts'
import { kinds } from '../shared/contract/kinds.ts'
import { buildEvent } from '../shared/events/build.ts'
import type { ExtensionEvent } from '../shared/events/event.ts'
import type { Send } from '../shared/events/send.ts'
import { traceparentOf } from '../shared/events/trace-context.ts'
import type { Kubernetes, KubernetesObject } from '../shared/kubernetes/port.ts'
import type { Log } from '../shared/lifecycle/actuator.ts'
import { type Facts, factsOf } from '../shared/lifecycle/facts.ts'
import type { Observe } from './bridge-event.ts'
import type { Decision, Delays, Sent } from './decide.ts'
import { emit } from './emitter.ts'
import { aboutOf, type Entry, keyOf, objectNameOf } from './entry.ts'
import type { EntryBook } from './entry-book.ts'
import { objectOf } from './kept-objects.ts'
import type { QueueOptions, WorkResult } from './queue-types.ts'

export interface WorkerOptions {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly send: Send
  readonly clock: Clock
  readonly log: Log
  /** `source` of the events. */
  readonly source: string
  readonly delays: Pick<Delays, 'unclaimedMs'>
  /** Asked right before each event goes out: the time since its turn began may have been long. */
  readonly maySend: () => boolean
  readonly observe: Observe
}

/** After a failed read. */
const readAgainMs = 2_000

/** The queue's work: decides once more on an object whose turn has come, and sends its event. */
export const createWorker = (book: EntryBook, options: WorkerOptions): QueueOptions['work'] => {
  const { kubernetes, send, clock, log, source, delays, maySend, observe } = options
  const { entries } = book

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
    if (object === 'gone' || facts === undefined || !book.isOurs(facts, object.metadata.namespace)) {
      // The queue lets go of it with the result; forgetting it there would count as asked meanwhile.
      book.remove(id)
      return nothingMore
    }
    const decision = book.decide(entry.kind, facts, object.metadata.namespace, entry)
    if (decision.kind === 'nothing') {
      book.remove(id)
      return nothingMore
    }
    book.note(entry, decision)
    if (decision.kind === 'send') {
      // What waits for the sink holds the event, never the object: thirty of 1.5 MB would be too much.
      const event = eventOf(entry, object, decision)
      const { namespace } = object.metadata
      return event === undefined ? nothingMore : sendOne(entry, namespace, event, facts, decision, signal)
    }
    book.keep(entry, undefined)
    return decision.kind === 'wait' ? { kind: 'again', at: decision.at, answered: false } : nothingMore
  }

  /** The event of the decision; undefined: there is none for this object, which is parked. */
  const eventOf = (
    entry: Entry,
    object: KubernetesObject,
    decision: Extract<Decision, { kind: 'send' }>,
  ): ExtensionEvent | undefined => {
    try {
      const traceparent = traceparentOf(decision.id, object.metadata.annotations?.[annotations.traceparent])
      return buildEvent({
        object,
        kind: entry.kind,
        source,
        now: entry.since,
        traceparent,
        ...decision.work,
      })
    } catch (error) {
      book.park(entry, aboutOf(entry, decision), 0, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  const sendOne = async (
    entry: Entry,
    namespace: string | undefined,
    event: ExtensionEvent,
    facts: Facts,
    decision: Extract<Decision, { kind: 'send' }>,
    signal: AbortSignal,
  ): Promise<WorkResult> => {
    if (!maySend()) return { kind: 'again', at: clock.now(), answered: false }
    const about = aboutOf(entry, decision)
    const began = clock.now()
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
        if (entry.seen === seen) book.keep(entry, undefined)
        entry.failure = undefined
        if (!isLive) return { kind: 'finished', answered: true }
        entry.sent = { ...mine, at: now }
        const next = book.decide(entry.kind, facts, namespace, entry)
        if (next.kind !== 'nothing' && entry.seen === seen) book.note(entry, next)
        return {
          kind: 'again',
          at: next.kind === 'wait' ? next.at : now + delays.unclaimedMs,
          answered: true,
        }
      }
      case 'retry':
        if (isLive) entry.sent = before
        entry.failure = verdict.reason
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
        if (isLive && entry.seen === seen) book.park(entry, about, verdict.status, verdict.reason)
        return { kind: 'finished', answered: true }
    }
  }

  return work
}

const nothingMore: WorkResult = { kind: 'finished', answered: false }
