import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { formatMilliseconds } from '../../../shared/clock/clock.ts'
import { isChecked } from '../../../shared/contract/health.ts'
import { clusterKind, type KindName } from '../../../shared/contract/kinds.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import { buildEvent, type ExtensionEvent, type Send } from '../../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, ListQueue } from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import {
  type AwaitedBy,
  createQueue,
  createWatch,
  emit,
  idOf,
  type SeenObject,
  type Selection,
  type SendResult,
  type Served,
  type WorkResult,
  watchedNamespace,
} from '../../core/core.ts'
import type { BridgeObserver, ObserveBridge } from '../bridge-event.ts'
import { createAnswers } from './answers.ts'
import { createHealthDependencies, type MonitoredKinds } from './dependencies.ts'
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

export type { MonitoredKinds } from './dependencies.ts'

export interface HealthChecksOptions {
  readonly kubernetes: Pick<Kubernetes, 'list' | 'watch'>
  readonly send: Send
  readonly clock: Clock
  readonly log: Log
  readonly selection: Selection
  readonly monitored: MonitoredKinds
  readonly awaitedBy: AwaitedBy
  /** `source` of the events. */
  readonly source: string
  readonly served: Served
  readonly listQueue: ListQueue
  /** Called right before each event. */
  readonly leading: () => boolean
  readonly observe: ObserveBridge
  /** 0 ≤ x < 1; spreads shoots in time. */
  readonly random?: () => number
}

/** Orders health checks of all monitored objects by events, each at its time. */
export interface HealthChecks extends BridgeObserver {
  /**
   * Returns false if the functions of one of these types (`spec.type`) do not answer checks, or if no function serves any of them.
   * @param types default: all types
   */
  areAnswered(types?: readonly string[]): boolean
}

/** The largest number of events in flight. */
const concurrency = 16
/** The longest time that a broker which answers only after the check may occupy a slot. */
const patienceMs = 2_000
/** The wait after a refusal: the next check has a different event. */
const refusedMs = 60_000

export const createHealthChecks = (options: HealthChecksOptions): HealthChecks => {
  const { kubernetes, send, clock, log, selection, monitored, source, served, leading, observe } = options
  const { random = Math.random } = options
  const kinds = selection.kinds.filter(kind => monitored[kind] !== undefined)
  const all = new Map<string, Monitored>()
  /** Namespaces of shoots that are to be hibernated. */
  const asleep = new Set<string>()
  /** Ids by kind and namespace. */
  const inNamespaces = new Map<string, Set<string>>()
  const answers = createAnswers()
  let isLeading = false

  const scopeOf = (kind: KindName, namespace: string) => `${kind} ${namespace}`

  const next = (object: Monitored): NextCheck | undefined => {
    noteNow(object, clock.now())
    return nextCheck(object, asleep.has(object.namespace))
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

  const changed = (kind: KindName, namespace: string) => {
    for (const id of inNamespaces.get(scopeOf(kind, namespace)) ?? []) {
      const object = all.get(id)
      if (object !== undefined) noteChange(object)
    }
  }

  const noteSleep = (namespace: string, isAsleep: boolean) => {
    if (isAsleep === asleep.has(namespace)) return
    if (isAsleep) asleep.add(namespace)
    else asleep.delete(namespace)
    for (const kind of kinds) changed(kind, namespace)
  }

  const noteLeadership = (now: boolean) => {
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
  }

  const objectSeen = ({ kind, object, facts, initial, decision }: SeenObject) => {
    const condition = monitored[kind]?.condition
    if (condition === undefined) return
    const id = idOf(kind, object.metadata)
    const isServed = !served.complete || served.types(kind).includes(facts.provider)
    if (decision === undefined || !isServed || !isChecked(facts)) return remove(id)
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

  const dependencies = createHealthDependencies({
    ...options,
    kinds: selection.kinds,
    namespace: watchedNamespace(selection, true),
    watch: createWatch({ kubernetes, clock, log, listQueue: options.listQueue }, observe),
    changed,
  })

  return {
    objectSeen,
    objectDeleted: (kind, key) => remove(idOf(kind, key)),
    resourceSeen: (plural, object, initial) => {
      if (plural === clusterKind.resource.plural) noteSleep(object.metadata.name, isHibernationWanted(object))
      dependencies.resourceSeen(plural, object, initial)
    },
    resourceDeleted: (plural, key) => {
      if (plural === clusterKind.resource.plural) noteSleep(key.name, false)
      dependencies.resourceDeleted(plural, key)
    },
    event: event => {
      if (event.type === 'leadership') noteLeadership(event.leading)
    },
    areAnswered: types => isAnyServed(selection, types) && answers.areAnswered(clock.now(), types),
    watches: dependencies.reflectors,
    run: async signal => {
      await Promise.all([queue, ...dependencies.reflectors].map(({ run }) => run(signal)))
    },
  }
}

/** Reads `shoot.spec.hibernation.enabled` of the Shoot in the Cluster. */
const isHibernationWanted = ({ spec }: KubernetesObject): boolean =>
  recordOf(recordOf(recordOf(recordOf(spec).shoot).spec).hibernation).enabled === true

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
