import {
  createKubernetes,
  createReflector,
  type GroupVersionResource,
  type Kubernetes,
  readText,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { ApiView, ApiViewOptions } from '../past/api-view.ts'
import { type TestServer, testServer, thing, thingDefinition, things } from './api-server-fixture.ts'

export const thingResource: GroupVersionResource = {
  group: 'example.com',
  version: 'v1',
  plural: 'things',
  namespaced: true,
}

export interface ViewWorld extends TestServer {
  readonly view: ApiView
  /** Its client. */
  readonly kubernetes: Kubernetes
  put(name: string, size: number): Promise<unknown>
  remove(name: string): Promise<unknown>
  /** Returns `name=size` of each listed object. */
  listed(query?: string): Promise<readonly string[]>
  /** Opens a watch of the view. Returns a function that reads its lines since the last call as texts. */
  watched(query?: string): () => Promise<readonly string[]>
}

/** Reads the objects as texts: `a=1`. */
const inWords = ({ metadata, spec }: { metadata: { name?: string }; spec?: unknown }): string =>
  `${metadata.name}=${(spec as { size?: number } | undefined)?.size}`

/** Runs pending promise callbacks, so that clients see what was sent. */
export const runPending = async (): Promise<void> => {
  for (let round = 0; round < 5; round++) await new Promise(resolve => setImmediate(resolve))
}

/** A server, and a view of it for one client. */
export const viewWorld = (options: ApiViewOptions = {}): ViewWorld => {
  const world = testServer({ objects: [thingDefinition()] })
  const view = world.server.view(options)
  const { clock, call } = world
  const kubernetes = createKubernetes({ transport: view.transport, clock })
  const send = (path: string) => view.transport({ method: 'GET', path, headers: {} })
  return {
    ...world,
    view,
    kubernetes,
    put: async (name, size) => {
      const { status } = await call('PATCH', `${things}/${name}`, { spec: { size } })
      if (status === 404) await call('POST', things, thing(name, { spec: { size } }))
    },
    remove: name => call('DELETE', `${things}/${name}`),
    listed: async (query = '') => {
      const { status, body } = await send(`${things}${query}`)
      const text = await readText(body)
      return status === 200 ? JSON.parse(text).items.map(inWords) : [String(status)]
    },
    watched: (query = '') => {
      let lines: string[] = []
      const read = async () => {
        const { body } = await send(`${things}?watch=true${query}`)
        for await (const part of body) {
          for (const line of new TextDecoder().decode(part).trimEnd().split('\n')) {
            const { type, object } = JSON.parse(line)
            lines.push(type === 'ERROR' ? `ERROR ${object.code}` : `${type} ${inWords(object)}`)
          }
        }
        lines.push('END')
      }
      read().catch(() => lines.push('BROKEN'))
      return async () => {
        await runPending()
        const seen = lines
        lines = []
        return seen
      }
    },
  }
}

/** Follows the things over a transport, as the bridge does. */
export const followThings = ({ clock }: TestServer, transport: Transport) => {
  const state = new Map<string, string>()
  /** Every state that the handler received. */
  const received: string[] = []
  const lists: boolean[] = []
  const stop = new AbortController()
  const running = createReflector({
    kubernetes: createKubernetes({ transport, clock, random: () => 0 }),
    resource: thingResource,
    clock,
    random: () => 0,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    handler: {
      upsert: object => {
        state.set(object.metadata.name, inWords(object))
        received.push(inWords(object))
      },
      deleted: ({ name }) => {
        state.delete(name)
        received.push(`no ${name}`)
      },
      replaced: () => lists.push(true),
    },
  }).run(stop.signal)
  return {
    state: () => [...state.values()].sort(),
    received,
    lists: () => lists.length,
    stop: () => {
      stop.abort()
      return running
    },
  }
}
