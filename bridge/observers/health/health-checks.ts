import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'
import { formatMilliseconds } from '../../../shared/clock/clock.ts'
import { isChecked } from '../../../shared/contract/health.ts'
import { clusterKind, type KindName } from '../../../shared/contract/kinds.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import { buildEvent, type ExtensionEvent, type Send } from '../../../shared/events/events.ts'
import type { Kubernetes, KubernetesObject, ListQueue } from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { pluralTitle } from '../../../shared/text/plural-title.ts'
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
  type ServedObjects,
  type WorkResult,
  watchedNamespace,
} from '../../core/core.ts'
import type { BridgeObserver, ObserveBridge } from '../bridge-event.ts'
import type { DeliveryPath } from '../delivery-path.ts'
import { createAnswers } from './answers.ts'
import { createHealthDependencies, type MonitoredKinds } from './dependencies.ts'
import { type Monitored, type NextCheck, newMonitored, shownIn } from './monitored.ts'
import { isOld, isWriteDue, mayBeMissed, nextCheck, noteNow, noteOrdered, noteWritten } from './next-check.ts'
import { type CheckingFunction, createRounds, startMs } from './rounds.ts'

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
  /** The interval between two checks of all objects, in ms. Default: 20 minutes. */
  readonly roundMs?: number
  /** How events reach functions. Default: unknown. */
  readonly deliveryPath?: DeliveryPath | undefined
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

/** Orders health checks of all monitored objects by events, each at its time. */
export interface HealthChecks extends BridgeObserver {
  /**
   * Returns the reason why conditions of objects of these types (`spec.type`) go stale: no function serves them, events
   * do not reach a function, or it does not answer checks. Returns undefined if there is none.
   * @param types default: all types
   */
  problemOf(types?: readonly string[]): string | undefined
}

/** The largest number of events in flight. */
const concurrency = 16
/** The longest time that a broker which answers only after the check may occupy a slot. */
const patienceMs = 2_000
/** The wait after a refusal: the next check has a different event. */
const refusedMs = 60_000
/**
 * The lead of a burst's first check, and the interval between the others, in ms: the first one starts a process, which
 * can then check the others without a second one.
 */
const leadMs = 3_000
const paceMs = 20

export const createHealthChecks = (options: HealthChecksOptions): HealthChecks => {
  const { kubernetes, send, clock, log, selection, monitored, source, served, leading, observe } = options
  const { deliveryPath, roundMs = 20 * 60_000, random = Math.random } = options
  const kinds = selection.kinds.filter(
    kind => monitored[kind] !== undefined && hasChecks(selection, of => of.kind === kind),
  )
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
    return nextCheck(object, asleep.has(object.namespace), roundMs)
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
    if (isLeading) rounds.add(object)
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

  const objectsOf = ({ kind, provider }: CheckingFunction) =>
    [...all.values()].filter(object => object.kind === kind && object.provider === provider)

  const order = (object: Monitored, due: NextCheck) => {
    object.due = due
    schedule(object)
  }

  /** Returns the object that proves that its function answers: the one that it wrote first of all. */
  const proofAmong = (objects: readonly Monitored[]) =>
    objects
      .filter(({ missed, namespace }) => missed === 0 && !asleep.has(namespace))
      .filter(object => isOld(object, clock.now()))
      .reduce<Monitored | undefined>(
        (first, object) => ((object.writtenAt ?? 0) < (first?.writtenAt ?? Infinity) ? object : first),
        undefined,
      )

  /** An object without an answer may be at fault itself: another one of its function is checked too. */
  const askAnother = (object: Monitored) => {
    const another = proofAmong(objectsOf(object))
    if (another !== undefined) order(another, { reason: 'refresh', at: clock.now() })
  }

  const rounds = createRounds({
    clock,
    roundMs,
    isBroken: provider => deliveryPath?.brokenFor([provider]) !== undefined,
    begin: fn => {
      const objects = objectsOf(fn)
      const at = clock.now() + leadMs
      for (const object of objects)
        if (object.shown.status !== 'True' || !asleep.has(object.namespace))
          object.due ??= { reason: 'round', at }
      return objects.length > 0
    },
    burst: fn => {
      const now = clock.now()
      const proof = proofAmong(objectsOf(fn))
      if (proof !== undefined) proof.due ??= { reason: 'refresh', at: now }
      const objects = objectsOf(fn).filter(({ due }) => due !== undefined)
      for (const [index, object] of objects.entries())
        order(object, {
          reason: object === proof || object.missed > 0 ? 'refresh' : 'round',
          at: object === proof ? now : now + leadMs + index * paceMs,
        })
    },
  })

  /** The check is due in the burst that starts soon. */
  const catchUp = (object: Monitored) => {
    object.due = { reason: 'round', at: clock.now() + startMs + leadMs }
    if (isLeading) rounds.catchUp(object)
  }

  const noteLeadership = (now: boolean) => {
    if (now === isLeading) return
    isLeading = now
    answers.forgetAll()
    rounds.stop()
    for (const object of all.values()) {
      if (!now) {
        queue.forget(object.id)
        continue
      }
      if (mayBeMissed(object, clock.now(), roundMs)) catchUp(object)
      // One object proves that the function answers.
      else rounds.catchUp(object)
      object.changedAt = undefined
      schedule(object)
    }
    if (now) queue.wake()
  }

  const objectSeen = ({ kind, object, facts, initial, decision }: SeenObject) => {
    const condition = monitored[kind]?.condition
    if (condition === undefined) return
    const id = idOf(kind, object.metadata)
    const isServed =
      (!served.complete || served.types(kind).includes(facts.provider)) &&
      hasChecks(selection, of => of.kind === kind && of.type === facts.provider)
    if (decision === undefined || !isServed || !isChecked(facts)) return remove(id)
    const present = all.get(id)
    const known = present?.uid === facts.uid ? present : undefined
    if (known === undefined) remove(id)
    const now = clock.now()
    const shown = shownIn(object, condition)
    if (known === undefined) {
      const fresh = newMonitored(id, kind, object, facts, shown, now)
      add(fresh)
      if (!initial) return noteChange(fresh)
      catchUp(fresh)
      return schedule(fresh)
    }
    known.resourceVersion = facts.resourceVersion
    const wasWritten =
      shown.lastUpdateTime !== known.shown.lastUpdateTime || shown.status !== known.shown.status
    if (shown.status !== known.shown.status) known.since = now
    known.shown = shown
    if (wasWritten && shown.lastUpdateTime !== '') {
      noteWritten(known, now)
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
    if (isWriteDue(object, now, due.reason)) answers.expect(object, now)
    noteOrdered(object, now, due.reason)
    const answer = emit(send, event, signal)
    const patience = Promise.withResolvers<undefined>()
    const disarm = clock.after(patienceMs, () => patience.resolve(undefined))
    const result = await Promise.race([answer, patience.promise])
    disarm()
    observe({ ...aboutOf(object, due), ...outcomeOf(result) })
    if (result?.kind === 'retry') {
      const { orderedAt, row, missed, since, changedAt } = before
      Object.assign(object, { orderedAt, row, missed, since })
      object.changedAt ??= changedAt
      object.due ??= before.due
      return { kind: 'failed', afterMs: result.afterMs }
    }
    if (before.missed > 0 && answers.isAwaited(object, clock.now())) askAnother(object)
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
    kinds,
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
    problemOf: types => {
      if (!isAnyServed(selection, types)) return 'no function serves these types'
      const silent = answers.unanswered(clock.now(), types)
      return (
        deliveryPath?.brokenFor(types) ??
        (silent &&
          `no function answers health checks of ${pluralTitle(silent.kind)} of type ${silent.provider}`)
      )
    },
    watches: dependencies.reflectors,
    run: async signal => {
      signal.addEventListener('abort', rounds.stop, { once: true })
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

/** Returns true if one of these functions has health checks, or if that is unknown. */
const hasChecks = ({ served }: Selection, isOne: (of: ServedObjects) => boolean): boolean =>
  served === undefined || served.some(of => of.unchecked !== true && isOne(of))

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
