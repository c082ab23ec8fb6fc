import { afterEach, expect } from 'vitest'
import { type VirtualClock, virtualClock } from '../../clock/clock.ts'
import {
  ConnectionError,
  type GroupVersionResource,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ListOptions,
  type WatchEvent,
  type WatchOptions,
} from '../port.ts'
import { createReflector, type Reflector } from '../reflector/reflector.ts'
import type { RestartReason } from '../reflector/reflector-handler.ts'

const resource: GroupVersionResource = { group: 'test.io', version: 'v1', plural: 'things', namespaced: true }

export const thing = (name: string, version: number, uid = `uid-${name}`): KubernetesObject => ({
  apiVersion: 'test.io/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'ns', uid, resourceVersion: String(version) },
})

/** A watch that the test controls. */
interface OpenWatch {
  readonly options: WatchOptions
  send(event: WatchEvent): void
  /** Ends the watch with an error, or like a server at the end of its time. */
  end(error?: unknown): void
}

/** An API server of one resource. The test sets the content of lists and controls the watches. */
const scriptedServer = () => {
  const objects = new Map<string, KubernetesObject>()
  const lists: ListOptions[] = []
  const watches: OpenWatch[] = []
  const failures: { list: unknown[]; watch: unknown[] } = { list: [], watch: [] }
  let version = 100

  const watch = (options: WatchOptions): AsyncIterable<WatchEvent> => {
    const failure = failures.watch.shift()
    const waiting: ((result: Promise<IteratorResult<WatchEvent>>) => void)[] = []
    const ready: Promise<IteratorResult<WatchEvent>>[] = []
    const give = (result: Promise<IteratorResult<WatchEvent>>) => {
      result.catch(() => undefined)
      const next = waiting.shift()
      if (next) next(result)
      else ready.push(result)
    }
    const end = (error?: unknown) =>
      give(error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error))
    if (failure === undefined) {
      watches.push({ options, send: value => give(Promise.resolve({ done: false, value })), end })
    } else {
      end(failure)
    }
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => ready.shift() ?? new Promise(resolve => waiting.push(resolve)),
      }),
    }
  }

  const kubernetes: Pick<Kubernetes, 'list' | 'watch'> = {
    list: async (_, options = {}) => {
      lists.push(options)
      const failure = failures.list.shift()
      if (failure !== undefined) throw failure
      const all = [...objects.values()]
      const from = Number(options.continue ?? 0)
      const to = from + (options.limit ?? all.length)
      return {
        items: all.slice(from, to),
        resourceVersion: String(version),
        ...(to < all.length ? { continue: String(to) } : {}),
      }
    },
    watch: (_, options = {}) => watch(options),
  }
  return {
    kubernetes,
    lists,
    watches,
    failures,
    latest: (): OpenWatch => {
      const last = watches.at(-1)
      if (last === undefined) throw new Error('there is no watch')
      return last
    },
    put: (name: string, uid?: string) => objects.set(name, thing(name, ++version, uid)),
    take: (name: string) => {
      version++
      objects.delete(name)
    },
  }
}

export interface Bench extends ReturnType<typeof scriptedServer> {
  readonly clock: VirtualClock
  readonly reflector: Reflector
  /** The handler's calls as texts. */
  readonly calls: string[]
  readonly restarts: { readonly reason: RestartReason; readonly relist: boolean }[]
  readonly logged: string[]
  /** The handler throws for an object with this name. */
  poison: string | undefined
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A reflector with a scripted server and a virtual clock. It ends after the test and must leave no timer behind. */
export const bench = async (
  prepare: (server: ReturnType<typeof scriptedServer>) => void = () => undefined,
  {
    pageSize = 500,
    streamed = false,
    mostObjects = Number.POSITIVE_INFINITY,
  }: { pageSize?: number; streamed?: boolean; mostObjects?: number } = {},
): Promise<Bench> => {
  const server = scriptedServer()
  prepare(server)
  const clock = virtualClock(0)
  const calls: string[] = []
  const restarts: Bench['restarts'] = []
  const logged: string[] = []
  const note = (message: string) => logged.push(message)
  const result: Bench = {
    ...server,
    clock,
    calls,
    restarts,
    logged,
    poison: undefined,
    reflector: createReflector({
      kubernetes: server.kubernetes,
      resource,
      clock,
      pageSize,
      streamed,
      mostObjects,
      random: () => 0.5,
      log: { debug: note, info: note, warn: note, error: note },
      handler: {
        upsert: ({ metadata: { name } }, { initial }) => {
          if (name === result.poison) throw new Error('a bug')
          calls.push(`${initial ? 'initial' : 'upsert'} ${name}`)
        },
        deleted: ({ name, namespace }) => calls.push(`deleted ${namespace}/${name}`),
        replaced: keys => calls.push(`replaced ${keys.map(({ name }) => name).join(' ')}`),
        synced: () => calls.push('synced'),
        restarted: ({ reason, relist }) => restarts.push({ reason, relist }),
      },
    }),
  }
  const controller = new AbortController()
  const running = result.reflector.run(controller.signal)
  stops.push(async () => {
    controller.abort()
    await running
    expect(clock.pending(), 'no timer is left behind').toEqual([])
  })
  await clock.advance(0)
  return result
}

export const modified = (name: string, version: number): WatchEvent => ({
  type: 'modified',
  object: thing(name, version),
})
export const bookmark = (version: number, initialEventsEnd = false): WatchEvent => ({
  type: 'bookmark',
  resourceVersion: String(version),
  initialEventsEnd,
})
export const gone = new KubernetesError(410, 'Expired', 'too old resource version')
export const reset = new ConnectionError('socket hang up', { cause: undefined, sent: true })
