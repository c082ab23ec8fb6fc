import type { Clock, Timestamp } from '../../clock/clock.ts'
import type { ExtensionClass } from '../../contract/constants.ts'
import { type KindName, kinds } from '../../contract/kinds.ts'
import { createQueue, type WaitingRow, type WorkResult } from '../../event-queue/event-queue.ts'
import { emit, type Send } from '../../events/events.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../kubernetes/kubernetes.ts'
import { idOf as nameOf } from '../../kubernetes/kubernetes.ts'
import type { Facts } from '../../lifecycle/lifecycle.ts'
import type { Log } from '../../log/log.ts'
import { messageOf } from '../../text/message-of.ts'
import {
  type DueObservation,
  dueObservation,
  markOf,
  type ObservationReason,
  observationEvent,
  observationId,
  parseRoute,
  recordIn,
  type SecondaryRoute,
} from '../secondary.ts'

type KnownTypes = Partial<Readonly<Record<KindName, readonly string[]>>>

/** The objects of the bridge. */
interface SelectedSecondaries {
  readonly kinds: readonly KindName[]
  /** Empty: all. */
  readonly namespaces: readonly string[]
  /** The functions, if they are known. */
  readonly served?: readonly {
    readonly kind: KindName
    readonly type: string
    readonly classes: readonly ExtensionClass[]
  }[]
}

/** An event for a secondary function was sent, or could not be. `why`: the answer of the sink, or the problem. */
export interface ObservationOrdered {
  readonly type: 'observation'
  readonly kind: KindName
  /** `<namespace>/<name>`, or `<name>`. */
  readonly object: string
  /** The name of the function. */
  readonly function: string
  readonly reason: ObservationReason
  readonly outcome: 'accepted' | 'retried' | 'refused' | 'impossible'
  readonly why?: string
}

/** Follows the objects of the bridge, as its observer. */
export interface Secondaries {
  objectSeen(seen: {
    readonly kind: KindName
    readonly object: KubernetesObject
    readonly facts: Pick<Facts, 'provider' | 'extensionClass'>
    /** True if the object existed when the watch began. */
    readonly initial: boolean
  }): void
  objectDeleted(kind: KindName, key: ObjectKey): void
  /** `leadership`: this process starts to send, or stops. */
  event(event: { readonly type: string }): void
  /** Returns a row for each object with work. */
  waiting(): readonly WaitingRow[]
  run(signal: AbortSignal): Promise<void>
}

export interface SecondariesOptions {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly send: Send
  readonly clock: Clock
  readonly log: Log
  readonly observe: (event: ObservationOrdered) => void
  readonly selection: SelectedSecondaries
  /** The known types of each kind, for a selection that lists no functions. It may change. */
  readonly served?: KnownTypes | undefined
  /** `source` of the events. */
  readonly source: string
  /** Called right before each event. */
  readonly leading: () => boolean
  /** The longest time that an accepted event may be without effect; doubles with each repeat. */
  readonly unclaimedMs: number
  /** The largest rate for objects that exist at the start. Default: 100 per second. */
  readonly initialPerSecond?: number
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: () => number
}

/** An object with work for a secondary function. */
interface Pending {
  readonly id: string
  readonly kind: KindName
  readonly key: ObjectKey
  readonly route: SecondaryRoute
  /** The function's annotation, and when this process first saw it: only its clock decides when a wait is over. */
  record: { readonly text: string; readonly at: Timestamp } | undefined
  due: Exclude<DueObservation, { kind: 'none' }>
  readonly since: Timestamp
  /** Why the last step failed. */
  lastError: string
  sent: { readonly id: string; readonly at: Timestamp; readonly times: number } | undefined
}

const concurrency = 16
const longestStretch = 8
/** The waits after a failed read, and after a refusal. */
const readAgainMs = 2_000
const refusedMs = 60_000

/**
 * Sends `observe` events to secondary functions: one for each object with work by `dueObservation`, until the object
 * shows an effect. It derives its state from the objects, and is independent of the events for primary functions.
 */
export const createSecondaries = (options: SecondariesOptions): Secondaries => {
  const { kubernetes, send, clock, log, observe, selection, served, source, leading, unclaimedMs } = options
  const all = new Map<string, Pending>()
  const routesOf = createRoutes(selection, served)

  const drop = (id: string) => {
    all.delete(id)
    queue.forget(id)
  }

  /** Returns the time at which the work is due, also for work whose event was sent. */
  const timeOf = (
    pending: Pending,
    due: Exclude<DueObservation, { kind: 'none' }>,
    id: string,
  ): Timestamp => {
    const now = clock.now()
    const { sent, record } = pending
    if (due.kind === 'later') {
      // The writer's clock may be wrong.
      const seenAt = (record?.at ?? now) + due.durationMs
      const at = due.at - now > due.durationMs ? seenAt : due.at
      if (now < at) return at
    }
    if (sent?.id !== id) return now
    return sent.at + unclaimedMs * Math.min(2 ** (sent.times - 1), longestStretch)
  }

  const noteSeen = (pending: Pending, object: KubernetesObject, due: Pending['due']) => {
    const { name } = pending.route
    pending.due = due
    pending.lastError = recordIn(object, name)?.why ?? ''
    const text = object.metadata.annotations?.[markOf(name)]
    if (text === undefined) pending.record = undefined
    else if (text !== pending.record?.text) pending.record = { text, at: clock.now() }
  }

  const see = (kind: KindName, object: KubernetesObject, route: SecondaryRoute, initial: boolean) => {
    const id = keyOf(route.name, kind, object.metadata)
    const due = dueObservation(kind, object, route.name)
    if (due.kind === 'none') return drop(id)
    const { name, namespace } = object.metadata
    const key = { name, ...(namespace !== undefined && { namespace }) }
    const pending: Pending = all.get(id) ?? {
      ...{ id, kind, key, route, due, since: clock.now(), lastError: '' },
      ...{ record: undefined, sent: undefined },
    }
    all.set(id, pending)
    noteSeen(pending, object, due)
    const at = timeOf(pending, due, observationId(object, due))
    if (at > clock.now()) queue.addAt(id, kind, at)
    else queue.add(id, kind, initial ? 'low' : 'fresh')
  }

  const work = async (id: string, signal: AbortSignal): Promise<WorkResult> => {
    const pending = all.get(id)
    if (pending === undefined) return nothingMore
    const { kind, key, route } = pending
    const about = { kind, object: nameOf(key), function: route.name }
    let object: KubernetesObject | undefined
    try {
      object = await kubernetes.get(kinds[kind].resource, key, { signal })
    } catch (error) {
      log.warn('cannot read object', { ...about, error })
      return { kind: 'again', at: clock.now() + readAgainMs, answered: false }
    }
    if (all.get(id) !== pending) return nothingMore
    const due = object === undefined ? undefined : dueObservation(kind, object, route.name)
    if (object === undefined || due === undefined || due.kind === 'none') {
      all.delete(id)
      return nothingMore
    }
    noteSeen(pending, object, due)
    const dueId = observationId(object, due)
    const now = clock.now()
    const at = timeOf(pending, due, dueId)
    if (at > now || !leading()) return { kind: 'again', at: Math.max(at, now), answered: false }
    const { reason } = due
    const times = pending.sent?.id === dueId ? pending.sent.times + 1 : 1
    const report = (outcome: ObservationOrdered['outcome'], why?: string) =>
      observe({ type: 'observation', ...about, reason, outcome, ...(why !== undefined && { why }) })
    try {
      const event = observationEvent({ object, kind, route, work: due, source, now })
      const result = await emit(send, event, signal)
      if (result.kind === 'retry') {
        report('retried', result.reason)
        return { kind: 'failed', afterMs: result.afterMs }
      }
      if (result.kind === 'accepted') {
        pending.sent = { id: dueId, at: clock.now(), times }
        report('accepted')
        return { kind: 'again', at: timeOf(pending, due, dueId), answered: true }
      }
      report('refused', result.reason)
    } catch (error) {
      // The event cannot be built until the object changes.
      report('impossible', messageOf(error))
    }
    return { kind: 'again', at: clock.now() + refusedMs, answered: true }
  }

  const queue = createQueue({
    ...{ clock, concurrency, work },
    subqueues: selection.kinds,
    lowPerSecond: options.initialPerSecond ?? 100,
    mayStart: leading,
    ...(options.random && { random: options.random }),
  })

  return {
    objectSeen: ({ kind, object, facts, initial }) => {
      const { namespace } = object.metadata
      const { namespaces } = selection
      if (namespaces.length > 0 && namespace !== undefined && !namespaces.includes(namespace)) return
      for (const route of routesOf(kind))
        if (route.type === facts.provider && (route.classes?.some(is(facts.extensionClass)) ?? true))
          see(kind, object, route, initial)
    },
    objectDeleted: (kind, key) => {
      for (const { id, ...pending } of [...all.values()])
        if (pending.kind === kind && nameOf(pending.key) === nameOf(key)) drop(id)
    },
    event: ({ type }) => {
      if (type === 'leadership' && leading()) queue.wake()
    },
    waiting: () =>
      [...all.values()].map(({ id, kind, key, route, due, since, sent, lastError }) => {
        const { state = 'timed', at } = queue.item(id) ?? {}
        const { operation, reason, attempt } = due
        const runs = due.kind === 'later' && due.held
        const sentTimes = sent === undefined ? '' : `, sent ${sent.times} times`
        return {
          ...{ kind, object: nameOf(key), operation, reason, attempt, id, since, at, lastError },
          state: state === 'timed' ? 'waiting' : state,
          why: `secondary function ${route.name}${runs ? ', whose step is running' : sentTimes}`,
        }
      }),
    run: queue.run,
  }
}

const nothingMore: WorkResult = { kind: 'finished', answered: false }

const is = (wanted: string) => (one: string) => one === wanted

const keyOf = (name: string, kind: KindName, key: ObjectKey): string => `${name} ${kind} ${nameOf(key)}`

interface ServedRoute extends SecondaryRoute {
  /** Absent: all classes. */
  readonly classes?: readonly ExtensionClass[]
}

/** Returns the secondary functions of a kind: those of the selection, read once, else the known ones. */
const createRoutes = ({ served: selected }: SelectedSecondaries, served: KnownTypes = {}) => {
  const chosen = selected?.flatMap(({ kind, type, classes }) => {
    const route = parseRoute(type)
    return route === undefined ? [] : [{ kind, ...route, classes }]
  })
  return (kind: KindName): readonly ServedRoute[] =>
    chosen?.filter(route => route.kind === kind) ??
    (served[kind] ?? []).flatMap(type => parseRoute(type) ?? [])
}
