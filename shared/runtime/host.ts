import type { Socket } from 'node:net'
import { refusePagesAt } from '../loopback/refuse-pages.ts'
import {
  eventEndpoint,
  frameworkServer,
  lastGraceMs,
  type OneFunction,
  type SeveralFunctions,
} from './event-endpoint.ts'
import type { HostSettings } from './host-settings.ts'
import { listen } from './listen.ts'

export type HostOptions = (OneFunction | SeveralFunctions) & {
  readonly settings: Pick<HostSettings, 'address' | 'port'>
}

export interface FunctionHost {
  readonly port: number
  readonly url: string
  /** Drains the endpoint and closes the server. A second call waits for the same end. */
  close(): Promise<void>
}

/** Serves an `eventEndpoint` with the functions framework. */
export const serveFunctions = async (options: HostOptions): Promise<FunctionHost> => {
  const { settings, log, clock } = options
  const endpoint = eventEndpoint(options)
  const answer = refusePagesAt(settings.address, endpoint.answer)
  const server = await frameworkServer(answer)
  // Longer than a proxy holds an idle connection.
  server.keepAliveTimeout = 150_000
  server.headersTimeout = 20_000
  server.on('clientError', answerBrokenRequest)
  // By default Node would answer 417.
  server.on('checkExpectation', answer)
  const { address, port } = await listen(server, settings)
  log.info('listening', { address, port })

  const close = async (): Promise<void> => {
    // The server still listens meanwhile, because a proxy handles a clean 503 better than a refused connection.
    const inFlight = await endpoint.drain()
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeIdleConnections()
    const cancelCut = clock.after(inFlight > 0 ? 0 : lastGraceMs, () => server.closeAllConnections())
    await closed
    cancelCut()
    log.info('closed')
  }
  let closing: Promise<void> | undefined

  return {
    port,
    url: `http://${urlHost(settings.address)}:${port}`,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Answers requests that Node could not parse as HTTP. By default Node would answer 408 or 431. */
const answerBrokenRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    return
  }
  const text = 'not HTTP, or the headers are too large\n'
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  )
}

const urlHost = (address: string): string =>
  address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address
