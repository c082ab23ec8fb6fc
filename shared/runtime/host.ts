import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { messageOf } from '../text/message-of.ts'
import {
  type EventEndpoint,
  eventEndpoint,
  lastGraceMs,
  type OneFunction,
  type SeveralFunctions,
} from './event-endpoint.ts'
import type { HostSettings } from './host-settings.ts'
import { listen } from './listen.ts'

export type HostOptions = (OneFunction | SeveralFunctions) & {
  readonly settings: Pick<HostSettings, 'host' | 'address' | 'port'>
}

export interface FunctionHost {
  readonly port: number
  readonly url: string
  /** Drains the endpoint and closes the server. A second call waits for the same end. */
  close(): Promise<void>
}

/** Serves an `eventEndpoint` over HTTP, with Node's server or with that of the functions framework. */
export const serveFunctions = async (options: HostOptions): Promise<FunctionHost> => {
  const { settings, log, clock } = options
  const endpoint = eventEndpoint(options)
  const server = await serverOf(settings.host, endpoint)
  // Longer than a proxy holds an idle connection.
  server.keepAliveTimeout = 150_000
  server.headersTimeout = 20_000
  server.on('clientError', answerBrokenRequest)
  // By default Node would answer 417.
  server.on('checkExpectation', endpoint.answer)
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

const serverOf = async (host: HostSettings['host'], { answer }: EventEndpoint): Promise<Server> => {
  if (host === 'trellis') return createServer(answer)
  // build/images/bundle puts this import into a separate file.
  const { frameworkServer } = await import('./framework-server.ts').catch(missingFramework)
  return frameworkServer(answer)
}

/** In a bundle the import is a require(). The first line of its error names the file. */
const missingFramework = (error: unknown): never => {
  throw new Error(`cannot load the functions framework: ${messageOf(error).split('\n')[0]}`, { cause: error })
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
