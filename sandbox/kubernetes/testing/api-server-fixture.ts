import { type VirtualClock, virtualClock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type ApiServer, type ApiServerOptions, createApiServer } from '../api-server.ts'

/** A complete response. */
export interface CompleteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON as a value, anything else as text. */
  readonly body: unknown
}

export interface TestServer {
  readonly server: ApiServer
  readonly clock: VirtualClock
  /** Sends a request. The body is sent as JSON unless it is text. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<CompleteAnswer>
  /** Opens a watch and returns a function that reads the lines since its last call. */
  watch(path: string, headers?: Record<string, string>): Promise<() => Promise<readonly WatchLine[]>>
}

export interface WatchLine {
  readonly type: string
  readonly object: unknown
}

/** Creates a server with its own clock, for tests that check raw responses. */
export const testServer = (options: Omit<ApiServerOptions, 'clock'> = {}): TestServer => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const server = createApiServer({ clock, ...options })

  const call: TestServer['call'] = async (method, path, body, headers = {}) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const response = await server.handle({
      method,
      path,
      headers: { 'content-type': type, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (typeof response.body !== 'string') throw new Error(`${method} ${path} is a watch`)
    const text = response.body
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : text,
    }
  }

  const watch: TestServer['watch'] = async (path, headers = {}) => {
    const { body } = await server.handle({ method: 'GET', path, headers })
    if (typeof body === 'string' || body instanceof Uint8Array) throw new Error(`${path}: ${body}`)
    let text = ''
    const reading = (async () => {
      for await (const part of body) text += part
    })()
    reading.catch(() => {})
    return async () => {
      await new Promise(resolve => setImmediate(resolve))
      const lines = text.split('\n').filter(line => line !== '')
      text = ''
      return lines.map(line => JSON.parse(line))
    }
  }

  return { server, clock, call, watch }
}

/** Returns a definition of `Thing`s (`things.example.com`) with the given additions. */
export const thingDefinition = (
  version: object = {},
  spec: object = {},
  metadata: object = {},
): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com', ...metadata },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        ...version,
      },
    ],
    ...spec,
  },
})

export const things = '/apis/example.com/v1/namespaces/default/things'

export const thing = (name: string, fields: object = {}, metadata: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name, ...metadata },
  ...fields,
})
