import http from 'node:http'
import https from 'node:https'
import type { ClusterAccess, Credentials } from './cluster-access.ts'
import { ConnectionError } from './port.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

export interface HttpTransportOptions {
  readonly access: ClusterAccess
  /** Connections kept for requests; a watch has one of its own beside them. 32. */
  readonly maxConnections?: number
}

/** A transport that holds connections. */
export interface HttpTransport {
  readonly send: Transport
  /** Ends every connection, also those of open watches. */
  close(): void
}

/** Failures that happen before a byte of the request can have reached the server. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/**
 * Kubernetes over HTTP/1.1 with kept connections: client-node as shipped opens a TLS connection per request.
 *
 * Node's own client rather than undici, because functions start from zero: bundled and with a primed compile
 * cache, `node:https` adds 6 ms to the start of a process, undici 28 ms.
 */
export const httpTransport = ({ access, maxConnections = 32 }: HttpTransportOptions): HttpTransport => {
  const origin = new URL(access.server)
  const prefix = origin.pathname.replace(/\/$/, '')
  const secure = origin.protocol === 'https:'
  let pools: Pools | undefined

  /** New credentials with other TLS material get new connections; the old ones end when idle. */
  const poolsFor = (credentials: Credentials): Pools => {
    if (pools && sameTls(pools.credentials, credentials)) return pools
    pools?.retire()
    pools = makePools(secure, credentials, maxConnections)
    return pools
  }

  const exchange = (request: TransportRequest, credentials: Credentials): Promise<TransportResponse> =>
    new Promise((resolve, reject) => {
      const agents = poolsFor(credentials)
      const outgoing = (secure ? https : http).request({
        protocol: origin.protocol,
        host: origin.hostname.replace(/^\[|\]$/g, ''),
        port: origin.port || (secure ? 443 : 80),
        method: request.method,
        path: prefix + request.path,
        agent: isWatch(request) ? agents.watches : agents.requests,
        headers: {
          ...request.headers,
          ...credentials.headers,
          ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
        },
      })
      const abort = () => outgoing.destroy()
      const release = () => request.signal?.removeEventListener('abort', abort)
      request.signal?.addEventListener('abort', abort, { once: true })
      const fail = (cause: unknown): unknown =>
        request.signal?.aborted
          ? request.signal.reason
          : new ConnectionError(`${request.method} ${request.path}: ${messageOf(cause)}`, {
              cause,
              sent: !neverSent.has(codeOf(cause) ?? ''),
            })
      outgoing.once('error', error => {
        release()
        reject(fail(error))
      })
      outgoing.once('response', incoming => {
        incoming.once('close', release)
        resolve({
          status: incoming.statusCode ?? 0,
          headers: flatten(incoming.headers),
          body: chunksOf(incoming, fail),
        })
      })
      outgoing.end(request.body)
    })

  return {
    send: async request => {
      request.signal?.throwIfAborted()
      const credentials = await access.credentials()
      const response = await exchange(request, credentials)
      if (response.status !== 401) return response
      // The token may have been rotated since it was read; an unauthorized request had no effect.
      const fresh = await access.credentials({ refused: credentials })
      if (fresh === credentials) return response
      for await (const _ of response.body);
      return exchange(request, fresh)
    },
    close: () => pools?.close(),
  }
}

interface Pools {
  readonly credentials: Credentials
  readonly requests: http.Agent
  readonly watches: http.Agent
  retire(): void
  close(): void
}

const makePools = (secure: boolean, credentials: Credentials, maxSockets: number): Pools => {
  const make = (limit: number): http.Agent => {
    const options = {
      keepAlive: true,
      keepAliveMsecs: 30_000,
      maxSockets: limit,
      scheduling: 'lifo' as const,
    }
    return secure ? new https.Agent({ ...options, ...credentials.tls }) : new http.Agent(options)
  }
  const requests = credentials.agent ?? make(maxSockets)
  const watches = credentials.agent ?? make(Number.POSITIVE_INFINITY)
  return {
    credentials,
    requests,
    watches,
    retire: () => {
      for (const agent of [requests, watches]) {
        for (const sockets of Object.values(agent.freeSockets))
          for (const socket of sockets ?? []) socket.destroy()
      }
    },
    close: () => {
      requests.destroy()
      watches.destroy()
    },
  }
}

const isWatch = (request: TransportRequest): boolean => /[?&]watch=true\b/.test(request.path)

const sameTls = (a: Credentials, b: Credentials): boolean =>
  a === b || (a.agent === b.agent && JSON.stringify(a.tls) === JSON.stringify(b.tls))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const flatten = (headers: http.IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

async function* chunksOf(
  incoming: http.IncomingMessage,
  fail: (cause: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of incoming) yield chunk as Uint8Array
  } catch (error) {
    throw fail(error)
  }
}
