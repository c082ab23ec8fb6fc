import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock, Timestamp } from '../../../shared/clock/clock.ts'

/** A received event. */
export interface FaultyArrival {
  readonly name: string
  readonly id: string
  readonly at: Timestamp
  /** True if the sink accepted it, whether or not the sender received that response. */
  readonly taken: boolean
}

/** Handles a request that the sink has read. Returns true if it accepts the event. */
export type SinkBehaviour = (request: IncomingMessage, response: ServerResponse) => boolean

/** An HTTP sink that can have every fault. */
export interface FaultySink {
  readonly url: string
  readonly arrivals: readonly FaultyArrival[]
  answer: SinkBehaviour
  /** Stops listening and breaks connections. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export const takes: SinkBehaviour = (_, response) => {
  response.writeHead(202).end()
  return true
}

/** Answers with a status, and accepts nothing. */
export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): SinkBehaviour =>
  (_, response) => {
    response.writeHead(status, headers).end()
    return false
  }

export const startFaultySink = async (clock: Pick<Clock, 'now'>): Promise<FaultySink> => {
  const arrivals: FaultyArrival[] = []
  let server: Server
  let port = 0
  const listen = async () => {
    server = createServer((request, response) => {
      const at = clock.now()
      request.resume().on('end', () => {
        const taken = sink.answer(request, response)
        const { 'ce-name': name, 'ce-id': id } = request.headers
        arrivals.push({ name: String(name), id: String(id), at, taken })
      })
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const goAway = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  await listen()
  const sink: FaultySink = {
    url: `http://127.0.0.1:${port}/`,
    arrivals,
    answer: takes,
    goAway,
    comeBack: listen,
    close: async () => {
      if (server.listening) await goAway()
    },
  }
  return sink
}
