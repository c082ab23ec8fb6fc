import type { Timestamp } from '../../../shared/clock/clock.ts'
import type { Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { LineQueue } from '../read/line-queue.ts'
import type { ApiContext } from '../requests/api-context.ts'
import { Disconnect } from '../requests/api-request.ts'
import type { RequestVerb } from '../requests/request-log.ts'
import type { StoreEvent } from '../store/store.ts'
import { createPast, type Past } from './past.ts'
import { covers, isWide, type PastSelection } from './past-selection.ts'
import { pastStore, watchedStore } from './past-store.ts'

export interface ApiViewOptions {
  /**
   * The reads that can show the past.
   *
   * `possible`: only those that a real cluster can serve from the cache of a server that lags: a get or list with a
   * `resourceVersion` (0, or `NotOlderThan`), the state at the start of a watch with one, and later events. A get or
   * list without a version, an exact list and the next pages of a list are consistent with etcd, also since lists come
   * from the cache (KEP-2340); a watch without a version starts at the present. Trellis' clients get and list without a
   * version, so for them only events are late.
   *
   * `any`: every get and list too, single objects, lost events, and watches that go back before the requested version.
   * No correct cluster does this. It tests the defences of code against a cache of its own, or a broken server.
   *
   * Source: Kubernetes API concepts, resource versions.
   *
   * @default possible, so that each failure of a simulation can occur in a real cluster
   */
  readonly strictness?: 'possible' | 'any'
}

export interface ShownPast extends PastSelection {
  /** The version to show, within the event window. Default: the present one, so the view stands still. */
  readonly version?: number
  /** The view follows by this many ms on the server's clock. Default: it stands still. */
  readonly lagMs?: number
  /** Applies only to gets and lists, or only to watches. Default: to both. */
  readonly to?: 'reads' | 'watches'
  /** The end, on the server's clock. Default: when released. */
  readonly until?: Timestamp
}

export interface SkippedEvents extends PastSelection {
  readonly matches?: (event: StoreEvent) => boolean
  /** Number of events that each are lost to all watches of the view. Default: 1. */
  readonly times?: number
}

/**
 * The way of one client to the server, or of several that use the same of its replicas. Shows the present until a past
 * is set. Writes always act on the present: one with an old `resourceVersion` gets 409. A client can also read its own
 * write late, as from a real cache.
 */
export interface ApiView {
  /** Requests without a socket, for `createKubernetes`. They are in the server's log and have its faults. */
  readonly transport: Transport
  /**
   * Shows the past of the selected objects. A list has its version. If several pasts cover an object, the oldest
   * applies. Events that are hidden from a watch arrive afterwards, in order. Returns a function that ends it.
   *
   * @example
   * const behind = server.view()
   * behind.showPast({ lagMs: 5_000 }) // an API server that lags
   *
   * @throws `RangeError` for a version outside the event window, `TypeError` for a selection that `possible` excludes
   */
  showPast(past: ShownPast): () => void
  /**
   * Loses events of watches; only a later event or a new list shows the state. Only with `any`. Returns a function that
   * ends it.
   */
  skipEvents(skipped: SkippedEvents): () => void
  /**
   * Ends the watches of this view. `expire`: they cannot resume from a version before the present one (410), so a
   * client never sees states that were hidden.
   */
  cutWatches(how?: 'close' | 'disconnect' | 'expire'): void
  /** Ends all pasts, skips and expirations. */
  release(): void
}

/** Chooses the state that a read of a view sees. */
export interface ViewReader {
  /** Returns the context for a read. May lower the version of a watch in the query. */
  contextFor(resource: string, verb: RequestVerb, query: URLSearchParams): ApiContext
  /** Called when a watch starts. Returns a function to call at its end. */
  track(watch: LineQueue): () => void
}

export interface ApiViewDeps {
  readonly context: ApiContext
  /** Returns the transport of requests whose reads use the reader. */
  readonly connect: (reader: ViewReader) => Transport
}

export const createApiView = (
  { context, connect }: ApiViewDeps,
  { strictness = 'possible' }: ApiViewOptions = {},
): ApiView => {
  const { store, clock } = context
  const pasts = new Map<Past, ShownPast['to']>()
  const skips = new Set<{ left: number; readonly skipped: SkippedEvents }>()
  const ends = new Set<() => void>()
  const watches = new Set<LineQueue>()
  const deliveries = new Set<() => void>()
  let expiredBefore = 0

  const deliverAll = (): void => {
    for (const deliver of [...deliveries]) deliver()
  }
  const pastsOf = (resource: string, to: 'reads' | 'watches') => (): readonly Past[] =>
    [...pasts].flatMap(([past, only]) =>
      (only === undefined || only === to) && (past.selection.resource ?? resource) === resource ? [past] : [],
    )

  let lost = new WeakSet<StoreEvent>()
  /** Counts an event once, also if several watches lose it. It is still lost when a watch resumes before it. */
  const isSkipped =
    (resource: string) =>
    (event: StoreEvent): boolean => {
      if (lost.has(event)) return true
      for (const skip of skips) {
        const { matches = () => true, ...selection } = skip.skipped
        if (!covers(selection, resource, event.key) || !matches(event)) continue
        lost.add(event)
        if (--skip.left === 0) skips.delete(skip)
        return true
      }
      return false
    }

  const contextFor: ViewReader['contextFor'] = (resource, verb, query) => {
    const requested = query.get('resourceVersion') ?? ''
    if (verb === 'watch') {
      const horizons = pastsOf(resource, 'watches')().map(past => past.horizon())
      if (strictness === 'any' && Number(requested) > 0)
        query.set('resourceVersion', String(Math.min(Number(requested), ...horizons)))
      const watched = watchedStore(
        {
          store,
          pasts: pastsOf(resource, 'watches'),
          startsPresent: strictness === 'possible' && requested === '',
          isSkipped: isSkipped(resource),
          expiredBefore,
          onChange: deliver => {
            deliveries.add(deliver)
            return () => deliveries.delete(deliver)
          },
        },
        resource,
      )
      return { ...context, store: watched }
    }
    const isExact = query.has('continue') || query.get('resourceVersionMatch') === 'Exact'
    if (isExact || (strictness === 'possible' && requested === '')) return context
    const past = pastStore({ store, pasts: pastsOf(resource, 'reads') }, resource)
    // A server that lags waits until it has reached the requested version.
    return verb === 'get' && Number(requested) > past.version() ? context : { ...context, store: past }
  }

  const requireAny = (what: string): void => {
    if (strictness !== 'any')
      throw new TypeError(`${what}: no correct cluster does this. Create the view with strictness 'any'.`)
  }

  const showPast: ApiView['showPast'] = ({ version, lagMs, to, until, ...selection }) => {
    if (!isWide(selection)) requireAny('cannot show the past of single objects')
    const past = createPast({ store, clock, selection, version, lagMs, onAdvance: deliverAll })
    pasts.set(past, to)
    const end = (): void => {
      if (!ends.delete(end)) return
      cancel()
      past.end()
      pasts.delete(past)
      deliverAll()
    }
    ends.add(end)
    const cancel = until === undefined ? () => {} : clock.after(until - clock.now(), end)
    return end
  }

  return {
    transport: connect({
      contextFor,
      track: watch => {
        watches.add(watch)
        return () => watches.delete(watch)
      },
    }),
    showPast,
    skipEvents: skipped => {
      requireAny('cannot lose events of a watch')
      const skip = { left: skipped.times ?? 1, skipped }
      skips.add(skip)
      return () => skips.delete(skip)
    },
    cutWatches: (how = 'close') => {
      if (how === 'expire') expiredBefore = store.version()
      for (const watch of [...watches]) {
        if (how === 'close') watch.close()
        else watch.fail(new Disconnect('the watch was cut'))
      }
    },
    release: () => {
      skips.clear()
      lost = new WeakSet()
      expiredBefore = 0
      for (const end of [...ends]) end()
    },
  }
}
