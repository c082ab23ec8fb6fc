import http from 'node:http'
import https from 'node:https'
import { createCallSlots } from './call-slots.ts'
import { proxyEnvironment } from './proxy-environment.ts'

/** One HTTP request to a service of a cloud, as data. */
export interface CloudHttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly tls: TlsSettings
}

/** How the certificates of a cloud are checked. */
export interface TlsSettings {
  /** Certificates in PEM that are trusted in place of the system's. */
  readonly ca?: string
  /** True: any certificate is accepted. */
  readonly insecure?: boolean
}

/** The answer to a request. `headers`: names in lower case. */
export interface CloudHttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** Sends a request. Rejects if no answer arrives. */
export type SendCloudHttp = (
  request: CloudHttpRequest & { readonly signal: AbortSignal },
) => Promise<CloudHttpAnswer>

export interface HttpSenderOptions {
  /** The longest time of one request without a byte of its answer, in ms. Default: 15000. */
  readonly timeoutMs?: number
  /** Concurrent requests per host. Further ones wait. Default: 32. */
  readonly mostRequests?: number
  /** The environment with the proxies (`proxyEnvironment`). Default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** The most bytes of one answer. A page of 1,000 ports has about 1 MB. */
const mostBytes = 16 * 1024 * 1024

/** The most pools of connections: one for each CA bundle. */
const mostPools = 20

/**
 * Creates the sender of a process. Connections stay open between steps. Uses Node's client: a library for HTTP takes
 * longer to load than a step takes.
 */
export const createHttpSender = ({
  timeoutMs = 15_000,
  mostRequests = 32,
  environment = process.env,
}: HttpSenderOptions = {}): SendCloudHttp => {
  const slots = createCallSlots(mostRequests)
  const options = {
    keepAlive: true,
    maxSockets: mostRequests,
    maxFreeSockets: 8,
    scheduling: 'lifo' as const,
    proxyEnv: proxyEnvironment(environment),
  }
  const plain = new http.Agent(options)
  const pools = new Map<string, https.Agent>()

  const poolOf = ({ ca, insecure }: TlsSettings): https.Agent => {
    const key = JSON.stringify([ca, insecure])
    const known = pools.get(key)
    const pool =
      known ?? new https.Agent({ ...options, ...(ca !== undefined && { ca }), rejectUnauthorized: !insecure })
    // The last in the map was used last.
    pools.delete(key)
    pools.set(key, pool)
    const [oldest] = pools
    if (pools.size > mostPools && oldest !== undefined) {
      pools.delete(oldest[0])
      for (const sockets of Object.values(oldest[1].freeSockets))
        for (const socket of sockets ?? []) socket.destroy()
    }
    return pool
  }

  const exchange: SendCloudHttp = ({ method, url, headers, body, tls, signal }) =>
    new Promise((resolve, reject) => {
      const secure = url.startsWith('https:')
      const outgoing = (secure ? https : http).request(url, {
        method,
        agent: secure ? poolOf(tls) : plain,
        signal,
        timeout: timeoutMs,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      })
      outgoing.once('timeout', () =>
        outgoing.destroy(
          Object.assign(new Error(`no answer within ${timeoutMs / 1_000} s`), { code: 'ETIMEDOUT' }),
        ),
      )
      outgoing.once('error', reject)
      outgoing.once('response', incoming => {
        const chunks: Buffer[] = []
        let size = 0
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > mostBytes) incoming.destroy(new Error(`the answer has more than ${mostBytes} bytes`))
          else chunks.push(chunk)
        })
        incoming.once('error', reject)
        incoming.once('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers as CloudHttpAnswer['headers'],
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      })
      outgoing.end(body)
    })

  return async request => {
    const release = await slots.take(new URL(request.url).host, request.signal)
    try {
      return await exchange(request)
    } finally {
      release()
    }
  }
}
