/**
 * When the health of each object is checked (docs/health.md). Each piece knows those before it, by its parameters: the
 * objects, the answers of functions, the queue that sends checks, and the rounds that order many of them.
 */
import type { Clock } from '../../clock/clock.ts'
import {
  type DeclaredHealth,
  type FunctionHealth,
  type HealthDependency,
  isChecked,
} from '../../contract/health.ts'
import { clusterKind, type KindName } from '../../contract/kinds.ts'
import { recordOf } from '../../decode/record-of.ts'
import type { Send } from '../../events/events.ts'
import type { KubernetesObject, ObjectKey, Reflector } from '../../kubernetes/kubernetes.ts'
import type { Facts } from '../../lifecycle/lifecycle.ts'
import { pluralTitle } from '../../text/plural-title.ts'
import { createAnswers } from './answers.ts'
import { createCheckQueue } from './check-queue.ts'
import { createHealthDependencies, type HealthDependenciesOptions } from './dependencies.ts'
import { dependencyId, type FollowedFunctions, followedHealth } from './followed-health.ts'
import { type CheckOrdered, idOf, type Monitored, newMonitored, shownIn } from './monitored.ts'
import { createMonitoredObjects } from './monitored-objects.ts'
import { mayBeMissed, noteWritten } from './next-check.ts'
import { createRounds } from './rounds.ts'

export { followedHealth, type MonitoredKinds } from './followed-health.ts'
export type { CheckOrdered } from './monitored.ts'
export { nextRound } from './rounds.ts'

export interface HealthChecksOptions
  extends Pick<HealthDependenciesOptions, 'awaitedBy' | 'namespace' | 'watch'>,
    Pick<FollowedFunctions, 'selection' | 'monitored'> {
  readonly send: Send
  readonly clock: Clock
  /** The health of functions that differs from that of their kind (`monitored`). Default: none. */
  readonly declaredHealth?: readonly DeclaredHealth[] | undefined
  /** The types of each kind that have a function: all, or those that are known so far. */
  readonly served: {
    readonly complete: boolean
    readonly types: (kind: KindName) => readonly string[]
  }
  /** `source` of the events. */
  readonly source: string
  /** Called right before each event. */
  readonly leading: () => boolean
  readonly observe: (event: CheckOrdered) => void
  /** The interval between two checks of all objects, in ms. Default: 20 minutes. */
  readonly roundMs?: number
  /** Returns why events for these types (`spec.type`; default: all) do not reach a function, if that is known. */
  readonly brokenFor?: ((types?: readonly string[]) => string | undefined) | undefined
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

/** An object that the process watches. */
interface SeenVersion {
  readonly kind: KindName
  readonly object: KubernetesObject
  readonly facts: Facts
  /** True if the object existed when the watch began. */
  readonly initial: boolean
  /** undefined: the process is not responsible for the object. */
  readonly decision: unknown
}

/** Orders health checks of all monitored objects by events, each at its time. */
export interface HealthChecks {
  objectSeen(seen: SeenVersion): void
  objectDeleted(kind: KindName, key: ObjectKey): void
  /** A Cluster, or an object that others watch (`awaitedBy`). */
  resourceSeen(plural: string, object: KubernetesObject, initial: boolean): void
  resourceDeleted(plural: string, key: ObjectKey): void
  /** An event of the process. `leadership`: it starts to order checks, or stops. */
  event(event: { readonly type: string; readonly leading?: boolean }): void
  /**
   * Returns the reason why conditions of objects of these types (`spec.type`) go stale: no function serves them, events
   * do not reach a function, or it does not answer checks. Returns undefined if there is none.
   * @param types default: all types
   */
  problemOf(types?: readonly string[]): string | undefined
  readonly watches: readonly Reflector[]
  run(signal: AbortSignal): Promise<void>
}

export const createHealthChecks = (options: HealthChecksOptions): HealthChecks => {
  const { clock, selection, monitored, served } = options
  const { brokenFor, roundMs = 20 * 60_000, random = Math.random, declaredHealth = [] } = options
  const followed = followedHealth({ selection, monitored, declared: declaredHealth })
  const { kinds } = followed
  let leads = false
  const isLeading = () => leads
  const objects = createMonitoredObjects()
  const answers = createAnswers()
  const queue = createCheckQueue({
    ...options,
    ...{ kinds, objects, answers, roundMs, isLeading, random },
    maySend: options.leading,
  })
  const rounds = createRounds({
    ...{ clock, roundMs, objects, queue, isLeading },
    isBroken: provider => brokenFor?.([provider]) !== undefined,
  })

  const remove = (id: string) => {
    const object = objects.get(id)
    if (object === undefined) return
    objects.remove(object)
    queue.forget(id)
    answers.forget(object)
  }

  const noteChange = (object: Monitored) => {
    object.changedAt ??= clock.now()
    queue.schedule(object)
  }

  const healthOf = ({ kind, provider }: Monitored) => followed.of(kind, provider)

  const changed = (dependency: HealthDependency, namespace: string) => {
    const id = dependencyId(dependency)
    for (const object of kinds.flatMap(kind => objects.in(kind, namespace)))
      if (healthOf(object)?.reads.some(read => dependencyId(read) === id)) noteChange(object)
  }

  const noteSleep = (namespace: string, isAsleep: boolean) => {
    if (!objects.noteSleep(namespace, isAsleep)) return
    for (const object of kinds.flatMap(kind => objects.in(kind, namespace))) noteChange(object)
  }

  const add = (object: Monitored, initial: boolean) => {
    objects.add(object)
    rounds.add(object)
    if (!initial) return noteChange(object)
    rounds.catchUp(object, true)
    queue.schedule(object)
  }

  /** A new version of a known object. */
  const update = (known: Monitored, { object, facts }: SeenVersion, { conditions }: FunctionHealth) => {
    const now = clock.now()
    const shown = shownIn(object, conditions)
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
    if (isOtherSpec) noteChange(known)
    else if (wasWritten) queue.schedule(known)
  }

  const lead = (now: boolean) => {
    if (now === leads) return
    leads = now
    answers.forgetAll()
    rounds.stop()
    for (const object of objects.all()) {
      if (!now) {
        queue.forget(object.id)
        continue
      }
      // One object of the others proves that the function answers.
      rounds.catchUp(object, mayBeMissed(object, clock.now(), roundMs))
      object.changedAt = undefined
      queue.schedule(object)
    }
    if (now) queue.wake()
  }

  const dependencies = createHealthDependencies({
    ...options,
    ...{ kinds: selection.kinds, reads: followed.reads, changed },
  })

  return {
    objectSeen: seen => {
      const { kind, object, facts, initial, decision } = seen
      if (!kinds.includes(kind)) return
      const id = idOf(kind, object.metadata)
      const isServed = !served.complete || served.types(kind).includes(facts.provider)
      const health = isServed ? followed.of(kind, facts.provider) : undefined
      if (decision === undefined || health === undefined || !isChecked(facts)) return remove(id)
      const present = objects.get(id)
      if (present?.uid === facts.uid) return update(present, seen, health)
      remove(id)
      add(newMonitored(id, kind, object, facts, shownIn(object, health.conditions), clock.now()), initial)
    },
    objectDeleted: (kind, key) => remove(idOf(kind, key)),
    resourceSeen: (plural, object, initial) => {
      if (plural === clusterKind.resource.plural) noteSleep(object.metadata.name, isHibernationWanted(object))
      dependencies.resourceSeen(plural, object, initial)
    },
    resourceDeleted: (plural, key) => {
      if (plural === clusterKind.resource.plural) noteSleep(key.name, false)
      dependencies.resourceDeleted(plural, key)
    },
    event: ({ type, leading = false }) => {
      if (type === 'leadership') lead(leading)
    },
    problemOf: types => {
      if (!isAnyServed(selection, types)) return 'no function serves these types'
      const silent = answers.unanswered(clock.now(), types)
      return (
        brokenFor?.(types) ??
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

type CheckedSelection = HealthChecksOptions['selection']

/** No checks are sent for a type that no function serves, so no answers are expected. */
const isAnyServed = ({ served }: CheckedSelection, types: readonly string[] | undefined): boolean =>
  types === undefined || served === undefined || served.some(({ type }) => types.includes(type))
