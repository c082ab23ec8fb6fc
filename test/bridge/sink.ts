import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received event. */
export interface Arrival {
  /** `cloud.gardener.extensions.<lower-case kind>.<operation>` */
  readonly type: string
  readonly kind: string
  /** Empty for a cluster-scoped object. */
  readonly namespace: string
  readonly name: string
  readonly id: string
  readonly reason: string
  /** The client's port, which identifies the connection. */
  readonly from: number
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
}

/** An HTTP sink that accepts everything unless `answer` decides otherwise. */
export interface Sink {
  readonly url: string
  /** The events that request work. */
  readonly arrivals: readonly Arrival[]
  /** The events that request health checks. */
  readonly checks: readonly Arrival[]
  answer: (response: ServerResponse, arrival: Arrival) => void
  /** Waits until the condition holds. Checks it at each arrival. */
  until(condition: () => boolean): Promise<void>
  close(): void
}

/** Port 0: the system selects a port. */
export const startSink = async (port = 0): Promise<Sink> => {
  const arrivals: Arrival[] = []
  const checks: Arrival[] = []
  let arrived = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const arrival: Arrival = {
      type: String(request.headers['ce-type']),
      kind: String(request.headers['ce-kind']),
      namespace: String(request.headers['ce-namespace'] ?? ''),
      name: String(request.headers['ce-name']),
      id: String(request.headers['ce-id']),
      reason: String(request.headers['ce-reason']),
      from: request.socket.remotePort ?? 0,
      at: performance.timeOrigin + performance.now(),
    }
    ;(arrival.type.endsWith('.healthcheck') ? checks : arrivals).push(arrival)
    request.resume().on('end', () => sink.answer(response, arrival))
    arrived.resolve()
    arrived = Promise.withResolvers()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const sink: Sink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    checks,
    answer: response => response.writeHead(202).end(),
    until: async condition => {
      while (!condition()) await arrived.promise
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return sink
}
