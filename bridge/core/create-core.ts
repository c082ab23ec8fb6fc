import type { Clock } from '../../shared/clock/clock.ts'
import { awaitedBy as contractAwaitedBy } from '../../shared/contract/awaited.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { createQueue, type WaitingRow } from '../../shared/event-queue/event-queue.ts'
import type { Send } from '../../shared/events/events.ts'
import {
  createListQueue,
  type Kubernetes,
  type KubernetesObject,
  type ObjectKey,
} from '../../shared/kubernetes/kubernetes.ts'
import { alwaysLeading, type Leadership } from '../../shared/leadership/leadership.ts'
import type { Log } from '../../shared/log/log.ts'
import { type AwaitedBy, watchAwaitedObjects } from './awaited/awaited-objects.ts'
import { createDispatcher } from './delivery/dispatcher.ts'
import type { LostEvent, LostResult } from './delivery/lost-event.ts'
import { type Selection, watchedNamespace } from './objects/decide.ts'
import { createPreconditions } from './objects/preconditions.ts'
import { createServed, type Served } from './objects/served.ts'
import { noWork, type Tally } from './objects/waiting.ts'
import type { Observer, SeenObject } from './observer.ts'
import { createWatch } from './watch.ts'

export interface CoreOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list' | 'watch'>
  readonly send: Send
  readonly clock: Clock
  readonly log: Log
  readonly selection: Selection
  /** `source` of the events: `/seeds/<seed>`. */
  readonly source: string
  /** The largest number of events in flight. Default: `defaultConcurrency`. */
  readonly concurrency?: number
  /** The largest rate for objects that exist at the start. Default: 100 per second. */
  readonly initialPerSecond?: number
  /** Returns the proof of a new request to the sink. Default: random. */
  readonly newSending?: () => string
  /** The longest time that an accepted event may be unclaimed. Default: `defaultUnclaimedMs`. */
  readonly unclaimedMs?: number
  /** This bridge sends only while it leads; everything else runs in any case. Default: the bridge is alone. */
  readonly leadership?: Leadership
  /** The types of each kind that have a function. Default: learned from claims. */
  readonly served?: Served
  /** The resources that the steps of a kind wait for. Default: those of the contract. */
  readonly awaitedBy?: AwaitedBy
  /** Makes all watches list one after the other. Share it with watches of observers. Default: its own. */
  readonly listQueue?: ReturnType<typeof createListQueue>
  /** Called in order. Observers that are added before `run` count too. */
  readonly observers?: readonly Observer[]
}

/** An accepted event is sent again after this time without a claim, in ms. */
export const defaultUnclaimedMs = 90_000

/** The largest number of events in flight, unless the bridge is created with another one. */
export const defaultConcurrency = 32

export interface Core {
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
  /**
   * A broker could not deliver an event, and reports it as a dead letter. The bridge sends it again after a wait, if
   * its object still needs it.
   */
  lost(event: LostEvent): LostResult
  /** Returns every object with open work, and why it waits. */
  waiting(): readonly WaitingRow[]
  /** Returns the number of known awaited objects, by resource. */
  awaited(): ReadonlyMap<string, number>
  /** Returns the numbers of each selected kind, for metrics. */
  counts(): ReadonlyMap<KindName, BridgeCounts>
}

export interface BridgeCounts extends Tally {
  /** Objects that the watch has seen. */
  readonly watched: number
  /** Keys that wait for a slot or for the sink. */
  readonly queued: number
  readonly inFlight: number
  /** Requests without an answer that gave up their slot. */
  readonly open: number
}

/** Each loop runs at least every two minutes. */
const stuckMs = 5 * 60_000

/**
 * Watches extension objects and emits an event for each that has work to do, until one is accepted. It can derive its
 * whole state from the objects: stop it at any time, restart it, or run two of them.
 */
export const createCore = (options: CoreOptions): Core => {
  const { kubernetes, send, clock, log, selection, source, observers = [] } = options
  const {
    concurrency = defaultConcurrency,
    initialPerSecond = 100,
    unclaimedMs = defaultUnclaimedMs,
  } = options
  const { leadership = alwaysLeading, awaitedBy = contractAwaitedBy } = options
  // Twelve kinds that list at the same time would hold twelve pages in memory.
  const { served = createServed(), listQueue = createListQueue(clock) } = options
  const announce = announceTo(observers, log)
  const watch = createWatch({ kubernetes, clock, log, listQueue }, announce.event)

  const preconditions = createPreconditions({
    kinds: selection.kinds,
    watch,
    changed: (namespace, pauses) => dispatcher.reconsider(namespace, pauses),
    observers: announce,
  })
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
    send,
    clock,
    log,
    selection,
    source,
    unclaimedMs,
    ...(options.newSending && { newSending: options.newSending }),
    preconditions,
    queue,
    served,
    maySend: leadership.leading,
    observe: announce.event,
    observers: announce,
    byNamespace: new Set(selection.kinds.filter(kind => awaitedBy[kind] !== undefined)),
  })
  const awaited = watchAwaitedObjects({
    kinds: selection.kinds,
    awaitedBy,
    namespace: watchedNamespace(selection, true),
    watch,
    changed: dispatcher.awaitedChanged,
    observers: announce,
  })
  const objects = new Map(
    selection.kinds.map(kind => {
      const { resource } = kinds[kind]
      const reflector = watch(resource, {
        namespace: watchedNamespace(selection, resource.namespaced),
        upsert: (object, { initial }) => dispatcher.upsert(kind, object, initial),
        deleted: key => dispatcher.deleted(kind, key),
      })
      return [kind, reflector]
    }),
  )
  let started = false

  return {
    run: async signal => {
      if (signal.aborted) return
      started = true
      const leader = new AbortController()
      const led = leadership.run(leader.signal, leading => {
        announce.event({ type: 'leadership', leading })
        if (leading) queue.wake()
      })
      // The successor starts when this bridge has nothing in flight.
      const sending = Promise.all([queue.run(signal), ...observers.map(({ run }) => run?.(signal))]).then(
        () => leader.abort(signal.reason),
      )
      const running = [sending, led, ...preconditions.reflectors.map(({ run }) => run(signal))]
      // Otherwise every object of a shoot would be held at first.
      await Promise.race([preconditions.known(), aborted(signal)])
      await Promise.all([...running, ...[...objects.values(), ...awaited].map(({ run }) => run(signal))])
    },
    leading: leadership.leading,
    ready: () => started && [...objects.values()].every(({ synced }) => synced()),
    stuck: () => {
      if (!started) return []
      const watches = [
        ...preconditions.reflectors,
        ...awaited,
        ...observers.flatMap(({ watches = [] }) => watches),
        ...objects.values(),
      ].map(({ resource, lastActivity }) => ({ part: `the watch of ${resource}`, at: lastActivity() }))
      const election = { part: 'the leader election', at: leadership.lastActivity?.() ?? clock.now() }
      return [...watches, election]
        .map(({ part, at }) => ({ part, silentMs: clock.now() - at }))
        .filter(({ silentMs }) => silentMs > stuckMs)
        .map(({ part, silentMs }) => `${part} has been inactive for ${Math.round(silentMs / 1000)} s`)
    },
    lost: dispatcher.lost,
    waiting: () => [...dispatcher.waiting(), ...observers.flatMap(({ waiting }) => waiting?.() ?? [])],
    awaited: () => new Map(awaited.map(({ resource, size }) => [resource, size()])),
    counts: () => {
      const tally = dispatcher.tally()
      return new Map(
        selection.kinds.map(kind => {
          const { waiting, inFlight, open } = queue.counts(kind)
          const watched = objects.get(kind)?.size() ?? 0
          return [kind, { ...noWork, ...tally.get(kind), watched, queued: waiting, inFlight, open }]
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

type Announcements = 'event' | 'objectSeen' | 'objectDeleted' | 'resourceSeen' | 'resourceDeleted'

/** Calls all observers in order. An observer that throws is logged; the others and the core continue. */
export const announceTo = <Event extends { readonly type: string }>(
  observers: readonly Observer<Event>[],
  log: Log,
): Required<Pick<Observer<Event>, Announcements>> => {
  // The fields are computed only for an error: this runs several times for every event of the bridge.
  const toEach =
    <Args extends readonly unknown[]>(
      call: (observer: Observer<Event>, ...args: Args) => void,
      fieldsOf: (...args: Args) => object,
    ) =>
    (...args: Args): void => {
      for (const observer of observers) {
        try {
          call(observer, ...args)
        } catch (error) {
          log.error('bridge observer failed', { ...fieldsOf(...args), error })
        }
      }
    }
  return {
    event: toEach(
      (one, event: Event) => one.event?.(event),
      ({ type }) => ({ event: type }),
    ),
    objectSeen: toEach(
      (one, seen: SeenObject) => one.objectSeen?.(seen),
      ({ kind, object }) => ({ kind, name: object.metadata.name }),
    ),
    objectDeleted: toEach(
      (one, kind: KindName, key: ObjectKey) => one.objectDeleted?.(kind, key),
      (kind, key) => ({ kind, ...key }),
    ),
    resourceSeen: toEach(
      (one, plural: string, object: KubernetesObject, initial: boolean) =>
        one.resourceSeen?.(plural, object, initial),
      plural => ({ resource: plural }),
    ),
    resourceDeleted: toEach(
      (one, plural: string, key: ObjectKey) => one.resourceDeleted?.(plural, key),
      (plural, key) => ({ resource: plural, ...key }),
    ),
  }
}
