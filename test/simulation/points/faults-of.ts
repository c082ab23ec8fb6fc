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

/** Time until the bridge notices what it has missed, in ms. */
const lateMs = 1_000

/** Records the points of a run. Until its fault, a run with the same id is the same. */
export const recordPoints = (): Recording => {
  const exchanges: { readonly n: number; readonly exchange: Exchange }[] = []
  const reads: { readonly n: number; readonly text: string; readonly version: number; readonly on: Read }[] =
    []
  const changes: { readonly version: number; readonly resource: string; readonly key: string }[] = []
  let read = 0
  return {
    interference: {
      fate: (process, exchange, n) => {
        const isCall = exchange.isWrite || (exchange.way === 'cloud' && !isBridge(process))
        // The recorder of the bridge reports to people, not to the path.
        if (isCall && !/\/events(?:$|\?|\/)/.test(exchange.about)) exchanges.push({ n, exchange })
        return undefined
      },
      transportOf: (process, server) => async request => {
        const n = read++
        const on = readOf(request.method, request.path)
        // Part of the wish is in the Cluster, and nothing shows that an old one is old. A real server never serves one to a get
        // without a version.
        const version =
          on && on.resource !== 'clusters.extensions.gardener.cloud' ? versionBefore(server, on) : undefined
        if (on && version !== undefined)
          reads.push({ n, text: `${isBridge(process) ? 'bridge' : 'function'} ${request.path}`, version, on })
        return server.transport(request)
      },
      opened: ({ first: { server } }) =>
        void server.store.subscribe((resource, { version, key }) => {
          if (/\.gardener\.cloud$/.test(resource)) changes.push({ version, resource, key })
        }),
    },
    points: of => {
      switch (of) {
        case 'intermediate':
          return exchanges.flatMap(({ n, exchange }) =>
            Object.entries(fates).map(([name, fate]) => ({
              id: `${name} ${n} ${exchange.about}`,
              at: n,
              interference: () => ({ fate: (_, __, at) => (at === n ? fate : undefined) }),
            })),
          )
        case 'stale':
          return reads.map(({ n, text, version, on }) => ({
            at: n,
            id: `read ${n} from before version ${version + 1}: ${text}`,
            interference: () => staleRead(n, version, on),
          }))
        case 'unobserved':
          return changes.flatMap(({ version, resource, key }) =>
            (['watch cut', 'bridge restarted'] as const).map(how => ({
              at: version,
              id: `${how} without version ${version}: ${resource} ${key}`,
              interference: () => missedChange(version, resource, how),
            })),
          )
      }
    },
  }
}

/** A get or a list of the seed's API server. */
interface Read {
  readonly resource: string
  readonly namespace?: string
  readonly name?: string
}

const readOf = (method: string, path: string): Read | undefined => {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  if (method !== 'GET' || searchParams.has('watch')) return undefined
  const [, group = '', , namespace, plural = '', name] =
    /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?$/.exec(
      pathname,
    ) ?? []
  if (plural === '') return undefined
  return {
    resource: group === '' ? plural : `${plural}.${group}`,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  }
}

/** Returns the version before the latest change of what is read. Undefined: nothing has changed in this run. */
const versionBefore = ({ store }: ApiServer, { resource, namespace, name }: Read): number | undefined => {
  const collection = store.collection(resource)
  const last = collection.eventsAfter(collection.oldestVersion)?.findLast(({ key }) => {
    const slash = key.indexOf('/')
    return (
      (name === undefined || key.slice(slash + 1) === name) &&
      (namespace === undefined || key.startsWith(`${namespace}/`))
    )
  })
  return last && last.version - 1
}

const staleRead = (n: number, version: number, on: Read): Interference => {
  let read = 0
  return {
    transportOf: (_, server) => async request => {
      if (read++ !== n) return server.transport(request)
      const view = server.view({ strictness: 'any' })
      const end = view.showPast({ version, to: 'reads', ...on })
      try {
        return await view.transport(request)
      } finally {
        end()
      }
    },
  }
}

const missedChange = (
  version: number,
  resource: string,
  how: 'watch cut' | 'bridge restarted',
): Interference => {
  const views: ApiView[] = []
  return {
    transportOf: (process, server) => {
      if (!isBridge(process)) return server.transport
      const view = server.view({ strictness: 'any' })
      view.skipEvents({ resource, matches: event => event.version === version })
      views.push(view)
      return view.transport
    },
    opened: (world: World) => {
      const { first, clock } = world
      first.server.store.subscribe((_, event) => {
        if (event.version !== version) return
        clock.after(lateMs, () => {
          if (how === 'watch cut') for (const view of views) view.cutWatches('expire')
          else {
            first.bridges()[0]?.process.kill()
            first.restart(0)
          }
        })
      })
    },
  }
}
