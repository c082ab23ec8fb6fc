import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { formatMilliseconds } from '../../../shared/clock/clock.ts'
import { isChecked } from '../../../shared/contract/health.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { buildEvent, type ExtensionEvent, type Send } from '../../../shared/events/events.ts'
import type { KubernetesObject, ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { type Facts, factsOf } from '../../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { Observe } from '../../core/bridge-event.ts'
import { emit, type SendResult } from '../../core/delivery/emit.ts'
import type { Served } from '../../core/delivery/served.ts'
import { idOf } from '../../core/objects/pending-object.ts'
import { isSelected, type Selection } from '../../core/objects/selection.ts'
import { createQueue } from '../../core/queue/queue.ts'
import type { WorkResult } from '../../core/queue/queue-types.ts'
import { createAnswers } from './answers.ts'
import type { MonitoredKinds } from './dependencies.ts'
import { type Monitored, newMonitored, shownIn, writtenAtFirst } from './monitored.ts'
import {
  catchUpMs,
  isWriteDue,
  type NextCheck,
  nextCheck,
  noteNow,
  noteOrdered,
  noteWritten,
} from './next-check.ts'

export interface HealthChecksOptions {
  readonly send: Send
  readonly clock: Clock
  readonly selection: Selection
  readonly monitored: MonitoredKinds
  /** `source` of the events. */
  readonly source: string
  readonly served: Served
  /** Returns true if the shoot of a namespace is to be hibernated. */
  readonly isAsleep: (namespace: string) => boolean
  /** Called right before each event. */
  readonly leading: () => boolean
  readonly observe: Observe
  /** 0 ≤ x < 1; spreads shoots in time. */
  readonly random?: () => number
}

/** Orders health checks of all monitored objects by events, each at its time. */
export interface HealthChecks {
  upsert(kind: KindName, object: KubernetesObject, initial: boolean): void
  deleted(kind: KindName, key: ObjectKey): void
  /** A resource that the conditions of a kind in a namespace depend on has changed. */
  changed(kind: KindName, namespace: string): void
  /** The shoot of the namespace is now to be hibernated, or no longer. */
  sleepChanged(namespace: string): void
  /** This bridge starts to send, or stops. */
  leadershipChanged(leading: boolean): void
  /**
   * Returns false if the functions of one of these types (`spec.type`) do not answer checks, or if no function serves any of them.
   * @param types default: all types
   */
  areAnswered(types?: readonly string[]): boolean
  /** Returns the number of objects of a kind that are checked. */
  size(kind: KindName): number
  run(signal: AbortSignal): Promise<void>
}

/** The largest number of events in flight. */
const concurrency = 16
/** The longest time that a broker which answers only after the check may occupy a slot. */
const patienceMs = 2_000
/** The wait after a refusal: the next check has a different event. */
const refusedMs = 60_000

export const createHealthChecks = (options: HealthChecksOptions): HealthChecks => {
  const { send, clock, selection, monitored, source, served, isAsleep, leading, observe } = options
  const { random = Math.random } = options
  const kinds = selection.kinds.filter(kind => monitored[kind] !== undefined)
  const all = new Map<string, Monitored>()
  /** Ids by kind and namespace. */
  const inNamespaces = new Map<string, Set<string>>()
  const answers = createAnswers()
  let isLeading = false

  const scopeOf = (kind: KindName, namespace: string) => `${kind} ${namespace}`

  const next = (object: Monitored): NextCheck | undefined => {
    noteNow(object, clock.now())
    return nextCheck(object, isAsleep(object.namespace))
  }

  const schedule = (object: Monitored) => {
    if (!isLeading) return
    const due = next(object)
    if (due === undefined) queue.forget(object.id)
    else queue.addAt(object.id, object.kind, due.at)
  }

  const remove = (id: string) => {
    const object = all.get(id)
    if (object === undefined) return
    all.delete(id)
    queue.forget(id)
    answers.forget(object)
    const { kind, namespace } = object
    const scope = scopeOf(kind, namespace)
    const ids = inNamespaces.get(scope)
    ids?.delete(id)
    if (ids?.size === 0) inNamespaces.delete(scope)
  }

  const add = (object: Monitored) => {
    all.set(object.id, object)
    const scope = scopeOf(object.kind, object.namespace)
    const ids = inNamespaces.get(scope)
    if (ids === undefined) inNamespaces.set(scope, new Set([object.id]))
    else ids.add(object.id)
  }

  const noteChange = (object: Monitored) => {
    object.changedAt ??= clock.now()
    schedule(object)
  }

  const isOurs = (kind: KindName, facts: Facts, namespace: string | undefined) => {
    const isServed = !served.complete || served.types(kind).includes(facts.provider)
    return isServed && isChecked(facts) && isSelected(selection, kind, facts, namespace)
  }

  const upsert = (kind: KindName, object: KubernetesObject, initial: boolean) => {
    const condition = monitored[kind]?.condition
    if (condition === undefined) return
    const id = idOf(kind, object.metadata)
    const facts = factsOf(object)
    if (!isOurs(kind, facts, object.metadata.namespace)) return remove(id)
    const present = all.get(id)
    const known = present?.uid === facts.uid ? present : undefined
    if (known === undefined) remove(id)
    const now = clock.now()
    const shown = shownIn(object, condition)
    if (known === undefined) {
      const fresh = newMonitored(id, kind, object, facts)
      fresh.shown = shown
      const writtenAt = writtenAtFirst(shown, now)
      if (writtenAt !== undefined) noteWritten(fresh, writtenAt, random)
      if (initial) fresh.catchUpAt = now + random() * catchUpMs
      add(fresh)
      return initial ? schedule(fresh) : noteChange(fresh)
    }
    known.resourceVersion = facts.resourceVersion
    const wasWritten =
      shown.lastUpdateTime !== known.shown.lastUpdateTime || shown.status !== known.shown.status
    known.shown = shown
    if (wasWritten && shown.lastUpdateTime !== '') {
      noteWritten(known, now, random)
      answers.answered(known)
    }
    const isOtherSpec = facts.generation !== known.generation
    known.generation = facts.generation
    if (isOtherSpec) return noteChange(known)
    if (wasWritten) schedule(known)
  }

  /** Builds the event that orders a check. Its data is a reference, because a check reads the current objects. */
  const eventOf = (object: Monitored, { reason }: NextCheck, now: Timestamp): ExtensionEvent => {
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

  const work = async (id: string, signal: AbortSignal): Promise<WorkResult> => {
    const object = all.get(id)
    const due = object && next(object)
    if (object === undefined || due === undefined || !leading()) return nothingMore
    const now = clock.now()
    if (due.at > now) return { kind: 'again', at: due.at, answered: false }
    const before = { ...object }
    let event: ExtensionEvent
    try {
      event = eventOf(object, due, now)
    } catch (error) {
      // The event cannot be built until the object changes. The object's other events fail too, and report it.
      observe({ ...aboutOf(object, due), outcome: 'impossible', why: messageOf(error) })
      return nothingMore
    }
    if (isWriteDue(object, now)) answers.expect(object, now)
    noteOrdered(object, now, due.reason)
    const answer = emit(send, event, signal)
    const patience = Promise.withResolvers<undefined>()
    const disarm = clock.after(patienceMs, () => patience.resolve(undefined))
    const result = await Promise.race([answer, patience.promise])
    disarm()
    observe({ ...aboutOf(object, due), ...outcomeOf(result) })
    if (result?.kind === 'retry') {
      const { orderedAt, row, missed, changedAt, catchUpAt } = before
      Object.assign(object, { orderedAt, row, missed, catchUpAt, changedAt: object.changedAt ?? changedAt })
      return { kind: 'failed', afterMs: result.afterMs }
    }
    const open = result === undefined ? { open: answer.then(() => undefined) } : {}
    const answered = result?.kind === 'accepted'
    const after = all.get(id) === object ? next(object) : undefined
    if (after === undefined) return { kind: 'finished', answered, ...open }
    const at = result?.kind === 'park' ? Math.max(after.at, clock.now() + refusedMs) : after.at
    return { kind: 'again', at, answered, ...open }
  }

  const queue = createQueue({
    clock,
    subqueues: kinds,
    concurrency,
    lowPerSecond: concurrency,
    mayStart: leading,
    work,
    random,
  })

  return {
    upsert,
    deleted: (kind, key) => remove(idOf(kind, key)),
    changed: (kind, namespace) => {
      for (const id of inNamespaces.get(scopeOf(kind, namespace)) ?? []) {
        const object = all.get(id)
        if (object !== undefined) noteChange(object)
      }
    },
    sleepChanged: namespace => {
      for (const kind of kinds)
        for (const id of inNamespaces.get(scopeOf(kind, namespace)) ?? []) {
          const object = all.get(id)
          if (object !== undefined) noteChange(object)
        }
    },
    leadershipChanged: now => {
      if (now === isLeading) return
      isLeading = now
      answers.forgetAll()
      for (const object of all.values()) {
        // The previous leader may have missed the last changes it saw.
        object.catchUpAt = clock.now() + random() * catchUpMs
        object.changedAt = undefined
        if (now) schedule(object)
        else queue.forget(object.id)
      }
      if (now) queue.wake()
    },
    areAnswered: types => isAnyServed(selection, types) && answers.areAnswered(clock.now(), types),
    size: kind => [...all.values()].filter(object => object.kind === kind).length,
    run: signal => queue.run(signal),
  }
}

/** The bridge sends no checks for a type that no function serves, so it expects no answers. */
const isAnyServed = ({ served }: Selection, types: readonly string[] | undefined): boolean =>
  types === undefined || served === undefined || served.some(({ type }) => types.includes(type))

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
