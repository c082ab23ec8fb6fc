import http from 'node:http'
import https from 'node:https'
import type { ClusterAccess, Credentials } from '../access/cluster-access.ts'
import { authorize, sameTls } from './authorize.ts'
import { connectionFailure } from './connection-failure.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { flatHeaders } from './transport.ts'

export interface HttpTransportOptions {
  readonly access: ClusterAccess
  /**
   * Maximum reused connections for requests; each watch has an additional one. Default: 8. At 10 ms per request these
   * carry several times the load of one core; each takes about 200 KB for TLS.
   */
  readonly maxConnections?: number
}

/** A transport with open connections. */
export interface HttpTransport {
  readonly send: Transport
  /** Closes every connection, also those of open watches. */
  close(): void
}

/**
 * Kubernetes over HTTP/1.1 with reused connections; client-node opens a TLS connection per request.
 *
 * Uses Node's client because functions start from zero: bundled and with a filled compile cache, `node:https` adds 6 ms
 * to the start of a process, undici 28 ms.
 */
export const httpTransport = ({ access, maxConnections = 8 }: HttpTransportOptions): HttpTransport => {
  const origin = new URL(access.server)
  const prefix = origin.pathname.replace(/\/$/, '')
  const secure = origin.protocol === 'https:'
  let pools: Pools | undefined

  /** Credentials with other TLS material get new connections. The old ones are closed when idle. */
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
      const fail = (cause: unknown): unknown => connectionFailure(request, cause)
      outgoing.once('error', error => {
        release()
        reject(fail(error))
      })
      outgoing.once('response', incoming => {
        incoming.once('close', release)
        resolve({
          status: incoming.statusCode ?? 0,
          headers: flatHeaders(incoming.headers),
          body: chunksOf(incoming, fail),
        })
      })
      outgoing.end(request.body)
    })

  return {
    send: authorize(access, exchange),
    close: () => {
      access.close?.()
      pools?.close()
    },
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
