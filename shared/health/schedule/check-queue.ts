import type { Clock, Timestamp } from '../../clock/clock.ts'
import { formatMilliseconds } from '../../clock/clock.ts'
import type { KindName } from '../../contract/kinds.ts'
import { createQueue, type Queue, type WorkResult } from '../../event-queue/event-queue.ts'
import { buildEvent, type ExtensionEvent, emit, type Send, type SendResult } from '../../events/events.ts'
import { messageOf } from '../../text/message-of.ts'
import type { Answers } from './answers.ts'
import type { CheckOrdered, Monitored, NextCheck } from './monitored.ts'
import type { MonitoredObjects } from './monitored-objects.ts'
import { isWriteDue, nextCheck, noteNow, noteOrdered } from './next-check.ts'

/** Sends the event of each check at its time. */
export interface CheckQueue extends Pick<Queue, 'forget' | 'wake' | 'run'> {
  /** Plans the next check of an object by its state. */
  schedule(object: Monitored): void
  /** A check is due, whatever else the state says. */
  order(object: Monitored, due: NextCheck): void
}

export interface CheckQueueOptions {
  readonly kinds: readonly KindName[]
  readonly objects: MonitoredObjects
  readonly answers: Answers
  readonly send: Send
  readonly clock: Clock
  /** `source` of the events. */
  readonly source: string
  readonly roundMs: number
  /** Returns true while this process orders checks. */
  readonly isLeading: () => boolean
  /** Called right before each event. */
  readonly maySend: () => boolean
  readonly observe: (event: CheckOrdered) => void
  /** 0 ≤ x < 1, for jitter. */
  readonly random: () => number
}

/** The largest number of events in flight. */
const concurrency = 16
/** The longest time that a broker which answers only after the check may occupy a slot. */
const patienceMs = 2_000
/** The wait after a refusal: the next check has a different event. */
const refusedMs = 60_000

export const createCheckQueue = (options: CheckQueueOptions): CheckQueue => {
  const { kinds, objects, answers, send, clock, source, roundMs, isLeading, maySend, observe, random } =
    options

  const next = (object: Monitored): NextCheck | undefined => {
    noteNow(object, clock.now())
    return nextCheck(object, objects.isAsleep(object), roundMs)
  }

  const schedule = (object: Monitored) => {
    if (!isLeading()) return
    const due = next(object)
    if (due === undefined) queue.forget(object.id)
    else queue.addAt(object.id, object.kind, due.at)
  }

  const order = (object: Monitored, due: NextCheck) => {
    object.due = due
    schedule(object)
  }

  /** Returns the answer to an event; undefined if there is none for a while. */
  const sent = async (event: ExtensionEvent, signal: AbortSignal) => {
    const answer = emit(send, event, signal)
    const patience = Promise.withResolvers<undefined>()
    const disarm = clock.after(patienceMs, () => patience.resolve(undefined))
    const result = await Promise.race([answer, patience.promise])
    disarm()
    return { result, open: result === undefined ? { open: answer.then(() => undefined) } : {} }
  }

  const work = async (id: string, signal: AbortSignal): Promise<WorkResult> => {
    const object = objects.get(id)
    const due = object && next(object)
    if (object === undefined || due === undefined || !maySend()) return nothingMore
    const now = clock.now()
    if (due.at > now) return { kind: 'again', at: due.at, answered: false }
    const before = { ...object }
    let event: ExtensionEvent
    try {
      event = eventOf(object, due, source, now)
    } catch (error) {
      // The event cannot be built until the object changes. The object's other events fail too, and report it.
      observe({ ...aboutOf(object, due), outcome: 'impossible', why: messageOf(error) })
      return nothingMore
    }
    if (isWriteDue(object, now, due.reason)) answers.expect(object, now)
    noteOrdered(object, now, due.reason)
    const { result, open } = await sent(event, signal)
    observe({ ...aboutOf(object, due), ...outcomeOf(result) })
    if (result?.kind === 'retry') {
      const { orderedAt, row, missed, since, changedAt } = before
      Object.assign(object, { orderedAt, row, missed, since })
      object.changedAt ??= changedAt
      object.due ??= before.due
      return { kind: 'failed', afterMs: result.afterMs }
    }
    if (before.missed > 0 && answers.isAwaited(object, clock.now())) {
      // An object without an answer may be at fault itself: another one of its function is checked too.
      const another = objects.proofOf(object, clock.now())
      if (another !== undefined) order(another, { reason: 'refresh', at: clock.now() })
    }
    const answered = result?.kind === 'accepted'
    const after = objects.get(id) === object ? next(object) : undefined
    if (after === undefined) return { kind: 'finished', answered, ...open }
    const at = result?.kind === 'park' ? Math.max(after.at, clock.now() + refusedMs) : after.at
    return { kind: 'again', at, answered, ...open }
  }

  const queue = createQueue({
    ...{ clock, concurrency, work, random },
    subqueues: kinds,
    lowPerSecond: concurrency,
    mayStart: maySend,
  })
  return { forget: queue.forget, wake: queue.wake, run: queue.run, schedule, order }
}

/** Builds the event that orders a check. Its data is a reference, because a check reads the current objects. */
const eventOf = (
  object: Monitored,
  { reason }: NextCheck,
  source: string,
  now: Timestamp,
): ExtensionEvent => {
  const { kind, apiVersion, name, namespace, uid, generation, resourceVersion } = object
  const { data: _, ...event } = buildEvent({
    object: {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, generation, resourceVersion },
      spec: { type: object.provider, class: object.extensionClass },
    },
    kind,
    operation: 'healthcheck',
    cause: `${reason}@${formatMilliseconds(now)}`,
    reason,
    attempt: object.missed,
    source,
    now,
  })
  return event
}

const nothingMore: WorkResult = { kind: 'finished', answered: false }

const aboutOf = ({ kind, namespace, name }: Monitored, { reason }: NextCheck) =>
  ({ type: 'health', kind, object: `${namespace}/${name}`, reason }) as const

/** undefined: the sink has not answered for a while. */
const outcomeOf = (result: SendResult | undefined) => {
  switch (result?.kind) {
    case 'accepted':
      return { outcome: 'accepted' } as const
    case 'retry':
      return { outcome: 'retried', why: result.reason } as const
    case 'park':
      return { outcome: 'refused', why: result.reason } as const
    default:
      return { outcome: 'unanswered' } as const
  }
}
