import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { kubeconfigFor } from '../../sandbox/kubernetes/kubernetes.ts'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'

/** An API server with many large, identical objects. It stores one of them, and writes it as often as requested. */
export interface HeavyServer {
  /** A kubeconfig for it, to be written to a file. */
  readonly kubeconfig: string
  /** The size of the largest requested page, in bytes. */
  readonly largestPage: number
  close(): void
}

export interface HeavyServerOptions {
  /** The number of objects of each kind. Each requests a reconcile. */
  readonly count: number
  /** The approximate size of one object, in bytes. */
  readonly bytes: number
  /**
   * The content of an object: one long text, or many small values, which take several times their size when parsed.
   */
  readonly filling: 'text' | 'values'
  /** True if lists are streamed (`sendInitialEvents`). Otherwise such a watch is refused, as by an older server. */
  readonly streamed: boolean
}

const version = '1000'
const prefix = '/apis/extensions.gardener.cloud/v1alpha1/'

/** Serves all kinds over HTTP/1.1 on a free port. */
export const startHeavyServer = async (options: HeavyServerOptions): Promise<HeavyServer> => {
  const { count, streamed } = options
  const kindOf = new Map<string, KindName>(kindNames.map(kind => [kinds[kind].resource.plural, kind]))
  const bodies = new Map(kindNames.map(kind => [kind, bodyOf(kind, options)]))
  let largestPage = 0

  const objectOf = (kind: KindName, index: number): readonly (string | Buffer)[] => {
    const namespace = kinds[kind].resource.namespaced ? '"namespace":"heavy",' : ''
    const names = `"name":"object-${index}",${namespace}"uid":"${kind}-${index}","resourceVersion":"${index + 1}"`
    const asked = `"generation":1,"annotations":{"${annotations.operation}":"reconcile"}`
    return [
      `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{${names},${asked}},`,
      bodies.get(kind) ?? '',
    ]
  }

  const list = async (response: ServerResponse, kind: KindName | undefined, query: URLSearchParams) => {
    const from = Number(query.get('continue') ?? 0)
    const present = kind === undefined ? 0 : count
    const to = Math.min(from + Number(query.get('limit') ?? present), present)
    const token = to < present ? `,"continue":"${to}"` : ''
    response.writeHead(200, { 'content-type': 'application/json' })
    // Custom resources have this field order: the metadata of the list is at the end.
    response.write(`{"apiVersion":"${apiVersion}","items":[`)
    let written = 0
    for (let index = from; index < to && kind !== undefined; index++) {
      for (const part of [index > from ? ',' : '', ...objectOf(kind, index)]) {
        written += part.length
        if (part !== '' && !response.write(part)) await once(response, 'drain')
      }
    }
    largestPage = Math.max(largestPage, written)
    response.end(`],"kind":"${kind ?? ''}List","metadata":{"resourceVersion":"${version}"${token}}}\n`)
  }

  const watch = async (response: ServerResponse, kind: KindName | undefined, query: URLSearchParams) => {
    const isInitial = query.get('sendInitialEvents') === 'true'
    if (isInitial && !streamed) {
      response.writeHead(422, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ kind: 'Status', status: 'Failure', code: 422, reason: 'Invalid' }))
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    for (let index = 0; isInitial && index < count && kind !== undefined; index++) {
      for (const part of ['{"type":"ADDED","object":', ...objectOf(kind, index), '}\n']) {
        if (!response.write(part)) await once(response, 'drain')
      }
    }
    const end = isInitial ? { 'k8s.io/initial-events-end': 'true' } : {}
    const object = { apiVersion, kind, metadata: { resourceVersion: version, annotations: end } }
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`)
  }

  const get = async (response: ServerResponse, kind: KindName, index: number) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (const part of objectOf(kind, index)) response.write(part)
    response.end()
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://heavy')
    const [plural = '', name] = pathname
      .replace(prefix, '')
      .replace(/^namespaces\/heavy\//, '')
      .split('/')
    const kind = kindOf.get(plural)
    const answer =
      query.get('watch') === 'true'
        ? watch(response, kind, query)
        : kind === undefined || name === undefined
          ? list(response, kind, query)
          : get(response, kind, Number(name.replace('object-', '')))
    answer.catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    kubeconfig: kubeconfigFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    get largestPage() {
      return largestPage
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Returns an object without its metadata. */
const bodyOf = (kind: KindName, { bytes, filling }: HeavyServerOptions): Buffer => {
  const value = { id: 'subnet-0123456789abcdef0', zone: 'eu-west-1a', tags: [{ k: 'a', v: 1 }, {}, null] }
  const state =
    filling === 'text'
      ? 'x'.repeat(bytes)
      : Array.from({ length: Math.ceil(bytes / JSON.stringify(value).length) }, () => value)
  const rest = { spec: { type: 'test', region: 'eu-west-1' }, status: { state: { kind, state } } }
  return Buffer.from(`${JSON.stringify(rest).slice(1)}`)
}
