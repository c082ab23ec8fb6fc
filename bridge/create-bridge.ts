import type { Clock, Timestamp } from '../shared/clock/clock.ts'
import { awaitedBy as contractAwaitedBy } from '../shared/contract/awaited.ts'
import { monitoredKinds as contractMonitoredKinds } from '../shared/contract/health.ts'
import { type KindName, kinds } from '../shared/contract/kinds.ts'
import type { Send } from '../shared/events/events.ts'
import type { Kubernetes } from '../shared/kubernetes/kubernetes.ts'
import { createListQueue, createReflector } from '../shared/kubernetes/kubernetes.ts'
import { alwaysLeading, type Leadership } from '../shared/leadership/leadership.ts'
import type { Log } from '../shared/log/log.ts'
import { type AwaitedBy, createAwaitedObjects } from './awaited/awaited-objects.ts'
import type { BridgeEvent, Observe } from './bridge-event.ts'
import { createDispatcher } from './delivery/dispatcher.ts'
import { createServed, type ServedTypes } from './delivery/served.ts'
import { createHealthDependencies, type MonitoredKinds } from './health/dependencies.ts'
import { createHealthChecks } from './health/health-checks.ts'
import { idOf } from './objects/pending-object.ts'
import { createPreconditions, waitsForFailedShoot } from './objects/preconditions.ts'
import { type Selection, watchedNamespace } from './objects/selection.ts'
import { createUnknownOperations } from './objects/unknown-operations.ts'
import type { WaitingRow } from './objects/waiting.ts'
import { createStepWatch, type OpenRequests } from './outcomes/step-watch.ts'
import { createQueue } from './queue/queue.ts'

export interface BridgeOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list' | 'watch'>
  readonly send: Send
  readonly clock: Clock
  readonly log: Log
  readonly selection: Selection
  /** `source` of the events: `/seeds/<seed>`. */
  readonly source: string
  /** The largest number of events in flight. Default: 32. */
  readonly concurrency?: number
  /** The largest rate for objects that exist at the start. Default: 100 per second. */
  readonly initialPerSecond?: number
  /** The longest time that an accepted event may be unclaimed. Default: 90 s. */
  readonly unclaimedMs?: number
  /** This bridge sends only while it leads; everything else runs in any case. Default: the bridge is alone. */
  readonly leadership?: Leadership
  /** The types of each kind that have a function, if known. Default: learned from claims. */
  readonly served?: ServedTypes
  /** The resources that the steps of a kind wait for. Default: those of the contract. */
  readonly awaitedBy?: AwaitedBy
  /** The resources that the conditions of a kind depend on. Default: those of the contract. */
  readonly monitored?: MonitoredKinds
  /** 0 ≤ x < 1; spreads health checks in time. */
  readonly random?: () => number
  /** Called for every event, in order; must not throw. */
  readonly observe?: Observe
}

export interface Bridge {
  /** Watches and emits until the signal aborts; then resolves. Call it once. */
  run(signal: AbortSignal): Promise<void>
  /** Returns true if this bridge sends. */
  leading(): boolean
  /**
   * Returns true if everything that may have work was listed once. Leadership makes no difference, nor do awaited
   * resources: without them, steps poll.
   */
  ready(): boolean
  /**
   * Returns one sentence for each stuck part; empty if the bridge is alive. An API server or a sink that is away does
   * not count.
   */
  stuck(): readonly string[]
  /** Returns every object with open work, and why it waits. */
  waiting(): readonly WaitingRow[]
  /** Returns the number of known awaited objects, by resource. */
  awaited(): ReadonlyMap<string, number>
  /**
   * Returns false if the functions of one of these types (`spec.type`) do not answer health checks, or if no function serves
   * any of these types. In both cases the conditions of objects go stale.
   * @param types default: all types
   */
  healthAnswered(types?: readonly string[]): boolean
  /** Returns the requests that have not succeeded, by kind; a kind without any is absent. */
  requests(): ReadonlyMap<KindName, OpenRequests>
  /** Returns the numbers of each selected kind, for metrics. */
  counts(): ReadonlyMap<KindName, BridgeCounts>
}

export interface BridgeCounts {
  /** Objects that the watch has seen. */
  readonly watched: number
  /** Keys that wait for a slot or for the sink. */
  readonly queued: number
  readonly inFlight: number
  /** Requests without an answer that gave up their slot. */
  readonly open: number
  /** Objects with an event that was sent more than once and is not claimed. */
  readonly unclaimed: number
  readonly held: number
  readonly parked: number
  /** The time since which the oldest object waits to be sent. */
  readonly oldestSince: Timestamp | undefined
}

/** Each loop runs at least every two minutes. */
const stuckMs = 5 * 60_000
/** A claim normally follows the event within a cold start. */
const coveredMs = 5_000

/**
 * Watches extension objects and emits an event for each that has work to do, until one is accepted. It can derive its
 * whole state from the objects: stop it at any time, restart it, or run two of them.
 */
export const createBridge = (options: BridgeOptions): Bridge => {
  const { kubernetes, clock, log, selection } = options
  const {
    concurrency = 32,
    initialPerSecond = 100,
    unclaimedMs = 90_000,
    leadership = alwaysLeading,
    awaitedBy = contractAwaitedBy,
    monitored = contractMonitoredKinds,
    random,
  } = options

  const observe = (event: BridgeEvent) => {
    try {
      options.observe?.(event)
    } catch (error) {
      log.error('bridge observer failed', { event: event.type, error })
    }
  }

  // Twelve kinds that list at the same time would hold twelve pages in memory.
  const listQueue = createListQueue(clock)
  const needsPreconditions = selection.kinds.some(waitsForFailedShoot)
  const preconditions = createPreconditions({
    kubernetes,
    clock,
    log,
    changed: namespace => dispatcher.reconsider(namespace),
    sleepChanged: namespace => health.sleepChanged(namespace),
    observe,
    listQueue,
  })
  const served = createServed(options.served)
  const stepWatch = createStepWatch(clock, step => observe({ type: 'ended', ...step }))
  const queue = createQueue({
    clock,
    subqueues: selection.kinds,
    concurrency,
    lowPerSecond: initialPerSecond,
    mayStart: leadership.leading,
    work: (id, signal) => dispatcher.work(id, signal),
  })
  const dispatcher = createDispatcher({
    kubernetes,
    send: options.send,
    clock,
    log,
    selection,
    source: options.source,
    delays: { unclaimedMs, coveredMs },
    hold: preconditions.hold,
    queue,
    served,
    stepWatch,
    maySend: leadership.leading,
    observe,
    byNamespace: new Set(selection.kinds.filter(kind => awaitedBy[kind] !== undefined)),
  })
  const unknownOperations = createUnknownOperations({
    selection,
    clock,
    leading: leadership.leading,
    observe,
  })
  const health = createHealthChecks({
    send: options.send,
    clock,
    selection,
    monitored,
    source: options.source,
    served,
    isAsleep: preconditions.isAsleep,
    leading: leadership.leading,
    observe,
    ...(random === undefined ? {} : { random }),
  })
  const dependencies = createHealthDependencies({
    kubernetes,
    clock,
    log,
    kinds: selection.kinds,
    monitored,
    namespace: watchedNamespace(selection, true),
    listQueue,
    isWatched: (kind, plural) => awaitedBy[kind]?.some(({ resource }) => resource.plural === plural) === true,
    changed: health.changed,
    observe,
  })
  const awaitedObjects = createAwaitedObjects({
    kubernetes,
    clock,
    log,
    kinds: selection.kinds,
    awaitedBy,
    namespace: watchedNamespace(selection, true),
    listQueue,
    changed: dispatcher.awaitedChanged,
    beside: dependencies.follower,
    observe,
  })

  const reflectorOf = (kind: KindName) => {
    const { resource } = kinds[kind]
    const namespace = watchedNamespace(selection, resource.namespaced)
    const reflector = createReflector({
      kubernetes,
      resource,
      streamed: true,
      listQueue,
      clock,
      log,
      ...(namespace === undefined ? {} : { namespace }),
      ...(selection.labels === undefined ? {} : { labelSelector: selection.labels }),
      handler: {
        upsert: (object, { initial }) => {
          dispatcher.upsert(kind, object, initial)
          unknownOperations.upsert(kind, object)
          health.upsert(kind, object, initial)
        },
        deleted: key => {
          dispatcher.deleted(kind, key)
          unknownOperations.forget(idOf(kind, key))
          health.deleted(kind, key)
        },
        restarted: about => observe({ type: 'restarted', resource: resource.plural, ...about }),
        recovered: () => observe({ type: 'recovered', resource: resource.plural }),
        synced: () => observe({ type: 'synced', resource: resource.plural, objects: reflector.size() }),
      },
    })
    return reflector
  }
  const reflectors = new Map(selection.kinds.map(kind => [kind, reflectorOf(kind)]))
  let started = false

  return {
    run: async signal => {
      if (signal.aborted) return
      started = true
      const leader = new AbortController()
      const led = leadership.run(leader.signal, leading => {
        observe({ type: 'leadership', leading })
        if (leading) {
          queue.wake()
          unknownOperations.leads()
        }
        health.leadershipChanged(leading)
      })
      // The successor starts when this bridge has nothing in flight.
      const sending = Promise.all([queue.run(signal), health.run(signal)]).then(() =>
        leader.abort(signal.reason),
      )
      const running = [sending, led]
      if (needsPreconditions) {
        running.push(preconditions.run(signal))
        // Otherwise every object of a shoot would be held at first.
        await Promise.race([preconditions.known(), aborted(signal)])
      }
      for (const reflector of reflectors.values()) running.push(reflector.run(signal))
      running.push(awaitedObjects.run(signal), dependencies.run(signal))
      await Promise.all(running)
    },
    leading: leadership.leading,
    ready: () => started && [...reflectors.values()].every(reflector => reflector.synced()),
    stuck: () => {
      const stuck: string[] = []
      const checkActivity = (what: string, lastActivity: Timestamp) => {
        const silent = clock.now() - lastActivity
        if (started && silent > stuckMs) {
          stuck.push(`${what} has been inactive for ${Math.round(silent / 1000)} s`)
        }
      }
      const followed = needsPreconditions ? preconditions.reflectors : []
      const watches = [
        ...followed,
        ...awaitedObjects.reflectors,
        ...dependencies.reflectors,
        ...reflectors.values(),
      ]
      for (const { resource, lastActivity } of watches) {
        checkActivity(`the watch of ${resource}`, lastActivity())
      }
      if (leadership.lastActivity) checkActivity('the leader election', leadership.lastActivity())
      return stuck
    },
    healthAnswered: health.areAnswered,
    waiting: () => [...dispatcher.waiting(), ...unknownOperations.rows()],
    requests: stepWatch.requests,
    awaited: () => new Map(awaitedObjects.reflectors.map(({ resource, size }) => [resource, size()])),
    counts: () => {
      const tally = dispatcher.tally()
      return new Map(
        selection.kinds.map(kind => {
          const { waiting, inFlight, open } = queue.counts(kind)
          const { held = 0, parked = 0, unclaimed = 0, oldestSince } = tally.get(kind) ?? {}
          const watched = reflectors.get(kind)?.size() ?? 0
          return [kind, { watched, queued: waiting, inFlight, open, unclaimed, held, parked, oldestSince }]
        }),
      )
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
