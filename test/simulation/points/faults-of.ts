import type { ApiServer, ApiView } from '../../../sandbox/kubernetes/kubernetes.ts'
import type { Exchange, Fate, World } from '../../../sandbox/simulation/simulation.ts'
import type { Interference } from './play-phase.ts'

export type PointClass = 'intermediate' | 'stale' | 'unobserved'
export const pointClasses: readonly PointClass[] = ['intermediate', 'stale', 'unobserved']

/** One fault at one point of a phase. */
export interface Point {
  /** Unique in the phase: `crash before 12 PATCH /apis/…`. */
  readonly id: string
  /** The exchange, read or change. */
  readonly at: number
  readonly interference: () => Interference
}

/** Everything of a run without faults at which a fault can be. */
export interface Recording {
  readonly interference: Interference
  points(of: PointClass): readonly Point[]
}

/** Fates at each write, by name. */
const fates: Readonly<Record<string, Fate>> = {
  'crash before': { kind: 'crash', when: 'before' },
  'crash after': { kind: 'crash', when: 'after' },
  'answer lost': { kind: 'lost' },
  unreachable: { kind: 'unreachable' },
  'refused with 503': { kind: 'refused', status: 503 },
}

const isBridge = (process: string): boolean => /\/bridge-\d/.test(process)

/** Records the points of a run until its phase ends. Until its fault, a run with the same id is the same. */
export const recordPoints = (): Recording => {
  const exchanges: { readonly n: number; readonly exchange: Exchange }[] = []
  const changes: { readonly version: number; readonly resource: string; readonly key: string }[] = []
  const watched = new Set<string>()
  let isOver = false
  return {
    interference: {
      fate: (process, exchange, n) => {
        if (isOver) return undefined
        const isCall = exchange.isWrite || (exchange.way === 'cloud' && !isBridge(process))
        // The recorder of the bridge reports to people, not to the path.
        if (isCall && !/\/events(?:$|\?|\/)/.test(exchange.about)) exchanges.push({ n, exchange })
        const resource = watchedBy(exchange)
        if (resource !== undefined) watched.add(resource)
        return undefined
      },
      opened: ({ first: { server } }) =>
        void server.store.subscribe((resource, { version, key }) => {
          if (!isOver) changes.push({ version, resource, key })
        }),
      ended: () => {
        isOver = true
      },
    },
    points: of => {
      if (of === 'intermediate')
        return exchanges.flatMap(({ n, exchange }) =>
          Object.entries(fates).map(([name, fate]) => ({
            id: `${name} ${n} ${exchange.about}`,
            at: n,
            interference: () => ({ fate: (_, __, at) => (at === n ? fate : undefined) }),
          })),
        )
      return changes
        .filter(({ resource }) => watched.has(resource))
        .flatMap(({ version, resource, key }) =>
          Object.entries(lags[of]).map(([name, lag]) => ({
            id: `${name} at version ${version}: ${resource} ${key}`,
            at: version,
            interference: () => laggingServer(version, lag),
          })),
        )
    },
  }
}

/** Returns the resource of a watch. */
const watchedBy = ({ way, about }: Exchange): string | undefined => {
  const [, group, plural] =
    /^GET \/(?:api|apis\/([^/]+))\/[^/]+\/(?:namespaces\/[^/]+\/)?([^/?]+)\?(?:.*&)?watch=true/.exec(about) ??
    []
  if (way !== 'kubernetes' || plural === undefined) return undefined
  return group === undefined ? plural : `${plural}.${group}`
}

/** A time in which the API server of all processes of Trellis lags. */
interface Lag {
  /** Its end after the first change that is late, in ms. */
  readonly ms: number
  /** Called with that change. */
  readonly begun?: (server: ApiView) => void
  /** Called before its end. */
  readonly ended?: (server: ApiView, world: World) => void
}

/**
 * The lags by class. They apply to all reads, and only as far as a real cluster can show them. A get or a list without
 * `resourceVersion` is consistent with etcd, so it is never old; `resourceVersion=0` and watches are served from a
 * cache, which may be late but never goes back in one watch (Kubernetes API concepts, Resource versions:
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions). Trellis gets and lists without a
 * version, and starts a watch with a consistent list. So only events are late, or are lost together with their watch.
 */
const lags: Readonly<Record<Exclude<PointClass, 'intermediate'>, Readonly<Record<string, Lag>>>> = {
  stale: {
    'late by 5 s': { ms: 5_000 },
    'late by 100 s': { ms: 100_000 },
    'resumed at a server that is late by 10 s': { ms: 10_000, begun: server => server.cutWatches('close') },
  },
  unobserved: {
    'watch expired': { ms: 1_000, ended: server => server.cutWatches('expire') },
    'bridge restarted': {
      ms: 1_000,
      ended: (_, { first }) => {
        first.bridges()[0]?.process.kill()
        first.restart(0)
      },
    },
  },
}

const laggingServer = (version: number, { ms, begun, ended }: Lag): Interference => {
  let view: ApiView | undefined
  let isLate = false
  const viewOf = (server: ApiServer): ApiView => {
    view ??= server.view()
    return view
  }
  return {
    transportOf: (_, server) => viewOf(server).transport,
    isLate: () => isLate,
    opened: (world, strike) => {
      const { first, clock } = world
      const { store } = first.server
      const server = viewOf(first.server)
      let end = store.version() === version - 1 ? server.showPast({}) : undefined
      store.subscribe((_, event) => {
        if (event.version === version - 1) end ??= server.showPast({})
        if (event.version !== version) return
        begun?.(server)
        strike()
        isLate = true
        clock.after(ms, () => {
          ended?.(server, world)
          end?.()
          isLate = false
        })
      })
    },
  }
}
