import { annotations } from '../shared/contract/constants.ts'
import { kinds } from '../shared/contract/kinds.ts'
import { buildEvent } from '../shared/events/build.ts'
import type { ExtensionEvent } from '../shared/events/event.ts'
import { traceparentOf } from '../shared/events/trace-context.ts'
import type { Kubernetes, KubernetesObject } from '../shared/kubernetes/port.ts'
import type { Log } from '../shared/lifecycle/actuator.ts'
import { type Facts, factsOf } from '../shared/lifecycle/facts.ts'
import type { Decision } from './decide.ts'
import { createDelivery, type DeliveryOptions } from './delivery/deliver.ts'
import { aboutOf, type Entry, keyOf, objectNameOf } from './entry.ts'
import type { EntryBook } from './entry-book.ts'
import { objectOf } from './kept-objects.ts'
import { markStep } from './marked-step.ts'
import type { QueueOptions, WorkResult } from './queue-types.ts'

export interface WorkerOptions extends DeliveryOptions {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly log: Log
  /** `source` of the events. */
  readonly source: string
  /** Asked right before each event goes out: the time since its turn began may have been long. */
  readonly maySend: () => boolean
}

/** After a failed read. */
const readAgainMs = 2_000

/** The queue's work: decides once more on an object whose turn has come, and sends its event. */
export const createWorker = (book: EntryBook, options: WorkerOptions): QueueOptions['work'] => {
  const { kubernetes, clock, log, source, maySend } = options
  const { entries } = book
  const deliver = createDelivery(book, options)

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
    // What is read may be ahead of what was seen, and then the watch brings it too.
    entry.step = markStep(entry.step, facts.step, clock.now(), true)
    const decision = book.decide(entry.kind, facts, object.metadata.namespace, entry)
    if (decision.kind === 'nothing') {
      book.remove(id)
      return nothingMore
    }
    book.note(entry, decision)
    if (decision.kind === 'send') {
      // What waits for the sink holds the event, never the object: thirty of 1.5 MB would be too much.
      const event = eventOf(entry, object, decision)
      return event === undefined ? nothingMore : sendOne(entry, event, facts, decision, signal)
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
    const { operation, cause, reason, attempt } = decision.work
    try {
      const carried = object.metadata.annotations?.[annotations.traceparent]
      return buildEvent({
        object,
        kind: entry.kind,
        source,
        now: entry.since,
        traceparent: traceparentOf(decision.id, carried),
        operation,
        cause,
        reason,
        attempt,
      })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      book.park(entry, aboutOf(entry, decision), 0, why)
      return undefined
    }
  }

  const sendOne = (
    entry: Entry,
    event: ExtensionEvent,
    facts: Facts,
    decision: Extract<Decision, { kind: 'send' }>,
    signal: AbortSignal,
  ): WorkResult | Promise<WorkResult> => {
    if (!maySend()) return { kind: 'again', at: clock.now(), answered: false }
    entry.parked = undefined
    return deliver(entry, { event, facts, about: aboutOf(entry, decision) }, signal)
  }

  return work
}

const nothingMore: WorkResult = { kind: 'finished', answered: false }
