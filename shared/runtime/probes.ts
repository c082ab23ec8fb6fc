import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { refusePagesAt } from '../loopback/refuse-pages.ts'
import { listen } from './listen.ts'
import type { Metrics } from './metrics.ts'

export interface ProbeOptions {
  readonly ready: () => boolean
  /** Returns true if the process can still do its work. Absent: always alive while it responds. */
  readonly alive?: () => boolean
  readonly metrics: Metrics
}

/** Answers a request for a probe or the metrics. Returns false for any other request. */
export type Probes = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Serves `/health/liveness` (200 if the event loop runs and `alive` returns true, else 503), `/health/readiness` (200
 * or 503), which Knative's `func` probes, and `/metrics` (Prometheus text).
 */
export const createProbes =
  ({ ready, alive = () => true, metrics }: ProbeOptions): Probes =>
  (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    switch (request.url?.split('?')[0]) {
      case '/health/liveness':
        response.writeHead(alive() ? 200 : 503).end()
        return true
      case '/health/readiness':
        response.writeHead(ready() ? 200 : 503).end()
        return true
      case '/metrics':
        metrics.render().then(
          ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
          () => response.writeHead(500).end(),
        )
        return true
      default:
        return false
    }
  }

export interface ProbeServer {
  readonly port: number
  close(): Promise<void>
}

/** The most connections: a kubelet, Prometheus, and functions, each for a moment; readers of the journal longer. */
const mostConnections = 256

/** Milliseconds. A report has 512 KiB at most. */
const serverLimits = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 5_000 }

/**
 * Serves the probes for a process without events. Port 0: the system chooses.
 *
 * @param options.others answers requests other than probes and metrics, if it can
 */
export const serveProbes = async (
  options: ProbeOptions & { readonly host: string; readonly port: number; readonly others?: Probes },
): Promise<ProbeServer> => {
  const probes = createProbes(options)
  const answer: RequestListener = (request, response) => {
    if (!probes(request, response) && !options.others?.(request, response)) response.writeHead(404).end()
  }
  const server = createServer(serverLimits, refusePagesAt(options.host, answer))
  limitConnections(server, mostConnections)
  const { port } = await listen(server, { address: options.host, port: options.port })
  return {
    port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Limits the connections of a server. A new connection above the limit closes the oldest one that waits for a request,
 * or else the oldest one, so that connections that stay open cannot lock out probes.
 */
export const limitConnections = (server: Server, most: number): void => {
  /** In the order of their start, with the number of requests in progress. */
  const open = new Map<Socket, number>()
  server.on('connection', socket => {
    if (open.size >= most) {
      const [idle] = [...open].find(([, requests]) => requests === 0) ?? open.keys()
      const oldest = idle as Socket | undefined
      oldest?.destroy()
      if (oldest !== undefined) open.delete(oldest)
    }
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    if (!open.has(socket)) return
    open.set(socket, (open.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const requests = open.get(socket)
      if (requests !== undefined) open.set(socket, requests - 1)
    })
  })
}
