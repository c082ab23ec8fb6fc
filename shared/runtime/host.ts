import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../clock/clock.ts'
import type { Log } from '../log/log.ts'
import {
  answerEvents,
  eventMetrics,
  type FunctionPaths,
  type HostAnswer,
  type ServedFunction,
} from './answer-events.ts'
import type { HostSettings } from './host-settings.ts'
import type { Metrics } from './metrics.ts'
import { createProbes } from './probes.ts'

interface ServingOptions {
  readonly settings: Pick<HostSettings, 'host' | 'port' | 'maxConcurrency' | 'bodyTimeoutMs' | 'drainMs'>
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
}

export interface HostOptions extends ServingOptions, Omit<ServedFunction, 'maxConcurrency'> {}

export interface FunctionsHostOptions extends ServingOptions {
  readonly functions: readonly ServedFunction[]
}

export interface FunctionHost {
  readonly port: number
  readonly url: string
  /**
   * Closes the host. It is unready at once and answers new events with 503. Work in flight gets `drainMs` to finish,
   * then is aborted. Resolves when the server is closed. A second call waits for the same end.
   */
  close(): Promise<void>
}

/**
 * Grace period in milliseconds for aborted steps to answer and for open reads and writes to end, before the connections
 * are cut.
 */
const lastGraceMs = 2_000

/** Maximum bytes of a refusal's text. Knative's brokers put this much into `knativeerrordata` of a dead letter. */
const problemLimitBytes = 1024

/**
 * Serves a function over HTTP: `POST /` accepts a CloudEvent in binary or structured mode; the probes are those of
 * `createProbes`. Only three statuses are used, because brokers disagree on others: 204 recorded, 503 retry, 400 do not
 * send again (malformed, too large, not for this function). Only a 400 has a body, the reason as plain text: brokers
 * look for an event in the body of a 2xx, and store the body of a refusal with the dead letter.
 */
export const serveFunction = (options: HostOptions): Promise<FunctionHost> =>
  serve(options, { functionAt: path => (path === '/' ? options : undefined), expected: '/' })

/** Serves several functions over HTTP like `serveFunction`, each at the path of its name: `POST /aws-dnsrecord`. */
export const serveFunctions = (options: FunctionsHostOptions): Promise<FunctionHost> => {
  const served = new Map<string, ServedFunction>(options.functions.map(one => [`/${one.name}`, one]))
  return serve(options, {
    functionAt: path => served.get(path),
    expected: `/ and the name of a function, one of ${options.functions.map(({ name }) => name).join(', ')}`,
  })
}

const serve = async (options: ServingOptions, paths: FunctionPaths): Promise<FunctionHost> => {
  const { settings, log, clock } = options
  const metrics = eventMetrics(options.metrics)
  const hardStop = new AbortController()
  let draining: Promise<void> | undefined

  const probes = createProbes({ ready: () => draining === undefined, metrics: options.metrics })
  const events = answerEvents({
    paths,
    settings,
    metrics,
    log,
    clock,
    hardStop: hardStop.signal,
    isDraining: () => draining !== undefined,
  })

  const send = (request: IncomingMessage, response: ServerResponse, answer: HostAnswer): void => {
    if (answer.retryAfterSeconds !== undefined) {
      response.setHeader('retry-after', String(Math.max(Math.ceil(answer.retryAfterSeconds), 1)))
    }
    // A connection with an unread request body cannot be reused.
    if (draining || !request.complete) response.setHeader('connection', 'close')
    if (answer.status === 204) response.writeHead(204).end()
    else respondWith(response, answer.status, answer.problem)
  }

  const server = createServer({ keepAliveTimeout: 150_000, headersTimeout: 20_000, requestTimeout: 0 })
  server.on('request', (request, response) => {
    if (request.method !== 'POST' && probes(request, response)) return
    events.respondTo(request).then(
      answer => send(request, response, answer),
      error => {
        log.error('answer failed', { error })
        response.destroy()
      },
    )
  })
  server.on('clientError', answerBrokenRequest)
  server.on('checkExpectation', (_, response: ServerResponse) =>
    respondWith(response, 400, 'the expectation cannot be met'),
  )
  await listen(server, settings)
  const { port } = server.address() as AddressInfo
  log.info('listening', { host: settings.host, port })

  const drain = async (): Promise<void> => {
    log.info('draining', { inFlight: events.inFlight() })
    // The server still listens meanwhile, because a proxy handles a clean 503 better than a refused connection.
    if (events.inFlight() > 0) {
      const { promise: graceIsOver, resolve: endGrace } = Promise.withResolvers<void>()
      const abort = () => {
        log.warn('aborting steps in progress', { inFlight: events.inFlight() })
        hardStop.abort(new Error('the process is shutting down'))
      }
      const cancels = [
        clock.after(settings.drainMs, abort),
        clock.after(settings.drainMs + lastGraceMs, endGrace),
      ]
      await Promise.race([events.idle(), graceIsOver])
      for (const cancel of cancels) cancel()
    }
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeIdleConnections()
    const cancelCut = clock.after(events.inFlight() > 0 ? 0 : lastGraceMs, () => server.closeAllConnections())
    await closed
    cancelCut()
    log.info('closed')
  }

  return {
    port,
    url: `http://${urlHost(settings.host)}:${port}`,
    close: () => {
      draining ??= drain()
      return draining
    },
  }
}

const respondWith = (response: ServerResponse, status: 400 | 503, problem: string | undefined): void => {
  const limited = new Uint8Array(problem === undefined ? 0 : problemLimitBytes)
  // `encodeInto` never splits a character.
  const { written } = new TextEncoder().encodeInto(`${problem}\n`, limited)
  const body = limited.subarray(0, written)
  response
    .writeHead(status, {
      ...(problem !== undefined && { 'content-type': 'text/plain; charset=utf-8' }),
      'content-length': String(body.length),
    })
    .end(body)
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

const listen = (
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })

const urlHost = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
