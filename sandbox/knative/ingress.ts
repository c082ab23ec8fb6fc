import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../shared/clock/clock.ts'
import { MalformedEventError } from '../../shared/events/events.ts'
import { refusePages } from '../../shared/loopback/refuse-pages.ts'
import { readBody } from '../../shared/runtime/runtime.ts'
import type { PublishResult } from './broker-event.ts'
import { type BrokeredEvent, readMessage } from './http-binding.ts'

export interface IngressOptions {
  readonly port: number
  readonly clock: Clock
  /** `signal` aborts when the client disconnects. */
  readonly publish: (
    event: BrokeredEvent,
    namespace: string,
    name: string,
    signal: AbortSignal,
  ) => Promise<PublishResult | 'undelivered'>
  /** `broker` is the requested path. */
  readonly onRefused: (broker: string, problem: string) => void
  /** Returns the status for an event over 1 MiB; `broker` as above. */
  readonly tooLargeFor: (broker: string) => number
}

export interface Ingress {
  readonly url: string
  close(): Promise<void>
}

/** Kafka's default limit for a message. */
const eventLimitBytes = 1024 * 1024
const bodyTimeoutMs = 30_000

/** The status of the ingress by the result. */
export const ingressStatus: Readonly<Record<PublishResult | 'undelivered', number>> = {
  accepted: 202,
  'no-such-broker': 404,
  'ttl-expired': 400,
  // A Service without a ready pod refuses the connection instead.
  unavailable: 503,
  // The status for any failure of the subscriber.
  undelivered: 500,
}

/**
 * Accepts events at `POST /<namespace>/<broker>` on 127.0.0.1. Returns 202 accepted, 400 not an event, 404 no such
 * Broker, 405 not a POST, the status of `tooLargeFor` over 1 MiB, 500 a synchronous Broker could not deliver the event.
 */
export const serveIngress = async (options: IngressOptions): Promise<Ingress> => {
  const { port, clock, publish, onRefused, tooLargeFor } = options
  const take = async (request: IncomingMessage, signal: AbortSignal): Promise<number> => {
    const read = await readBody(request, { limitBytes: eventLimitBytes, timeoutMs: bodyTimeoutMs, clock })
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const refuse = (status: number, problem: string): number => {
      onRefused(path.slice(1), problem)
      return status
    }
    if (request.method === 'OPTIONS') return 200
    if (request.method !== 'POST') return refuse(405, 'expected a POST request')
    if (read.kind === 'too-large')
      return refuse(tooLargeFor(path.slice(1)), `larger than ${eventLimitBytes} bytes`)
    if (read.kind === 'incomplete') return refuse(408, 'the body is incomplete')
    const [namespace, name, ...rest] = path.replace(/\/$/, '').split('/').slice(1)
    if (!namespace || !name || rest.length > 0) return refuse(404, 'the path is not /<namespace>/<broker>')
    try {
      return ingressStatus[
        await publish(
          readMessage({ headers: request.headersDistinct, body: read.body }),
          namespace,
          name,
          signal,
        )
      ]
    } catch (error) {
      if (error instanceof MalformedEventError) return refuse(400, error.message)
      throw error
    }
  }

  const server = createServer(
    { keepAliveTimeout: 120_000 },
    refusePages((request, response) => {
      const gone = new AbortController()
      response.once('close', () => gone.abort(new Error('the sender of the event has disconnected')))
      take(request, gone.signal).then(
        status => {
          if (!request.complete) response.setHeader('connection', 'close')
          response.writeHead(status, { 'content-length': '0' }).end()
        },
        () => response.writeHead(500).end(),
      )
    }),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
