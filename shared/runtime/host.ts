import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../clock/clock.ts'
import { MalformedEventError } from '../events/cloud-event.ts'
import type { ExtensionEvent } from '../events/event.ts'
import { parseEvent } from '../events/wire.ts'
import type { Log } from '../lifecycle/actuator.ts'
import { eventMetrics } from './event-metrics.ts'
import type { HostSettings } from './host-settings.ts'
import type { Metrics } from './metrics.ts'
import { createProbes } from './probes.ts'
import { readBody } from './read-body.ts'

/** What became of an event; the host's answer follows from it alone. */
export type HandleOutcome =
  /** The outcome of the step stands in the object, or there was nothing to do: 204. */
  | { readonly kind: 'recorded' }
  /** Somebody else works on the object now: 503 with Retry-After. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  /** The outcome could not be written into the object: 503. */
  | { readonly kind: 'unrecorded'; readonly reason: string }

/**
 * Handles one event. The signal aborts only when a shutdown does not want to wait any longer. It does not abort when
 * the client goes away: by then the step has claimed the object, and finishing it costs less than cutting it off and
 * waiting for the claim to expire. A rejection counts as `unrecorded`.
 */
export type Handle = (event: ExtensionEvent, signal: AbortSignal) => Promise<HandleOutcome>

export interface HostOptions {
  readonly handle: Handle
  /** Whether an event is for this function at all; absent: every one is. */
  readonly accepts?: (event: ExtensionEvent) => boolean
  readonly settings: Pick<HostSettings, 'host' | 'port' | 'maxConcurrency' | 'bodyTimeoutMs' | 'drainMs'>
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
}

export interface FunctionHost {
  readonly port: number
  readonly url: string
  /**
   * Not ready from now on, takes nothing new (503), lets what is in flight finish for `drainMs`, then aborts it.
   * Resolves when the server is closed. Calling it again waits for the same end.
   */
  close(): Promise<void>
}

/** Largest event that is read: the limit that CloudEvents intermediaries are sure to pass on is far below. */
export const eventLimitBytes = 1024 * 1024

/** How long an aborted step gets to answer, and what is still being read or written to end, before it is cut. */
const lastGraceMs = 2_000

interface HostAnswer {
  readonly status: 204 | 400 | 503
  /** For the metric; see `EventMetrics.answered`. */
  readonly outcome: string
  readonly retryAfterSeconds?: number
  /** Why an event is refused: the only body that is ever sent. */
  readonly problem?: string
}

/** Most bytes of a refusal's text: as much of it as Knative's brokers put into `knativeerrordata` of a dead letter. */
const problemLimitBytes = 1024

/**
 * Serves a function over HTTP: `POST /` takes a CloudEvent in binary or structured mode, beside the probes of
 * `createProbes`. Only these statuses are answered, because the brokers disagree on others: 204 recorded, 503 come
 * again, 400 never send this again (malformed, too large, not for this function). Only a 400 has a body, the reason as
 * plain text: brokers look for an event in the body of a 2xx, and keep that of a refusal with the dead letter.
 */
export const serveFunction = async (options: HostOptions): Promise<FunctionHost> => {
  const { handle, accepts, settings, log, clock } = options
  const metrics = eventMetrics(options.metrics)
  const hardStop = new AbortController()
  let draining: Promise<void> | undefined
  let inFlight = 0
  let idle: (() => void) | undefined

  const probes = createProbes({ ready: () => draining === undefined, metrics: options.metrics })

  const respondTo = async (request: IncomingMessage): Promise<HostAnswer> => {
    const limits = { limitBytes: eventLimitBytes, timeoutMs: settings.bodyTimeoutMs, clock }
    const read = await readBody(request, limits)
    if (read.kind === 'incomplete') return { status: 503, outcome: 'incomplete' }
    if (read.kind === 'too-large') return refuse('too-large', `larger than ${eventLimitBytes} bytes`)
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/') {
      return { status: 400, outcome: 'not-an-event', problem: 'events are taken by POST at /' }
    }
    if (draining) return { status: 503, outcome: 'draining', retryAfterSeconds: 1 }
    const event = parse(request, read.body)
    if (event instanceof MalformedEventError) return refuse('malformed', event.message)
    if (accepts && !accepts(event)) {
      const { kind, provider } = event
      return refuse(
        'foreign',
        `not for this function: kind ${kind}, provider ${provider}`,
        eventFields(event),
      )
    }
    if (settings.maxConcurrency > 0 && inFlight >= settings.maxConcurrency) {
      return { status: 503, outcome: 'full', retryAfterSeconds: 1 }
    }
    return run(event)
  }

  const refuse = (outcome: string, problem: string, fields: object = {}): HostAnswer => {
    log.warn('event refused', { problem, ...fields })
    return { status: 400, outcome, problem }
  }

  const run = async (event: ExtensionEvent): Promise<HostAnswer> => {
    metrics.inFlight(++inFlight)
    try {
      const started = clock.now()
      const outcome = await runHandle(handle, event, hardStop.signal, log)
      const durationMs = clock.now() - started
      metrics.handled(event, outcome.kind, durationMs)
      log.info('event handled', { ...eventFields(event), outcome: outcome.kind, durationMs })
      if (outcome.kind === 'recorded') return { status: 204, outcome: 'recorded' }
      return outcome.kind === 'busy'
        ? { status: 503, outcome: 'busy', retryAfterSeconds: outcome.retryAfterSeconds }
        : { status: 503, outcome: 'unrecorded' }
    } finally {
      metrics.inFlight(--inFlight)
      if (inFlight === 0) idle?.()
    }
  }

  const send = (request: IncomingMessage, response: ServerResponse, answer: HostAnswer): void => {
    metrics.answered(answer.outcome)
    if (answer.retryAfterSeconds !== undefined) {
      response.setHeader('retry-after', String(Math.max(Math.ceil(answer.retryAfterSeconds), 1)))
    }
    // A connection whose request was not read to the end cannot carry another one.
    if (draining || !request.complete) response.setHeader('connection', 'close')
    if (answer.status === 204) response.writeHead(204).end()
    else respondWith(response, answer.status, answer.problem)
  }

  const server = createServer({ keepAliveTimeout: 150_000, headersTimeout: 20_000, requestTimeout: 0 })
  server.on('request', (request, response) => {
    if (probes(request, response)) return
    respondTo(request).then(
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
    log.info('draining', { inFlight })
    // The server goes on listening meanwhile: a clean 503 tells a proxy more than a refused connection.
    if (inFlight > 0) {
      const { promise: done, resolve: finished } = Promise.withResolvers<void>()
      idle = finished
      const abort = () => {
        log.warn('aborting what is in flight', { inFlight })
        hardStop.abort(new Error('the process shuts down'))
      }
      const cancels = [
        clock.after(settings.drainMs, abort),
        clock.after(settings.drainMs + lastGraceMs, finished),
      ]
      await done
      for (const cancel of cancels) cancel()
    }
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeIdleConnections()
    const cancelCut = clock.after(inFlight > 0 ? 0 : lastGraceMs, () => server.closeAllConnections())
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
  // It takes whole characters only.
  const { written } = new TextEncoder().encodeInto(`${problem}\n`, limited)
  const body = limited.subarray(0, written)
  response
    .writeHead(status, {
      ...(problem !== undefined && { 'content-type': 'text/plain; charset=utf-8' }),
      'content-length': String(body.length),
    })
    .end(body)
}

const parse = (request: IncomingMessage, body: Uint8Array): ExtensionEvent | MalformedEventError => {
  try {
    return parseEvent(request.headersDistinct, body)
  } catch (error) {
    if (error instanceof MalformedEventError) return error
    throw error
  }
}

const runHandle = async (
  handle: Handle,
  event: ExtensionEvent,
  signal: AbortSignal,
  log: Log,
): Promise<HandleOutcome> => {
  try {
    const outcome = await handle(event, signal)
    if (outcome.kind === 'unrecorded') {
      log.warn('outcome not recorded', { ...eventFields(event), reason: outcome.reason })
    }
    return outcome
  } catch (error) {
    log.error('handler failed', { ...eventFields(event), error })
    return { kind: 'unrecorded', reason: 'the handler failed' }
  }
}

const eventFields = (event: ExtensionEvent): object => ({
  id: event.id,
  type: event.type,
  subject: event.subject,
  attempt: event.attempt,
  ...(event.traceparent === undefined ? {} : { traceparent: event.traceparent }),
})

/** What Node could not parse as HTTP. Its own answers would be 408 and 431. */
const answerBrokenRequest = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    return
  }
  const text = 'this is not HTTP, or its headers are too large\n'
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
