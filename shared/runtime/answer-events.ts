import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import type { ExtensionEvent } from '../events/events.ts'
import { MalformedEventError, parseEvent } from '../events/events.ts'
import type { Log } from '../log/log.ts'
import type { HostSettings } from './host-settings.ts'
import type { Metrics } from './metrics.ts'

/** The outcome of an event. It alone determines the host's response. */
export type HandleOutcome =
  /** The object has the outcome of the step, or no work was due: 204. */
  | { readonly kind: 'recorded' }
  /** Another process works on the object: 503 with Retry-After. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  /** The outcome could not be written into the object: 503. */
  | {
      readonly kind: 'unrecorded'
      readonly reason: string
      /** Advice for an operator, if known. */
      readonly advice?: string
    }

/**
 * Handles one event. The signal aborts only when a shutdown stops waiting. It does not abort when the client
 * disconnects: by then the step has claimed the object, and finishing it costs less than interrupting it and waiting
 * for the claim to expire. A rejection counts as `unrecorded`.
 */
export type Handle = (event: ExtensionEvent, signal: AbortSignal) => Promise<HandleOutcome>

/** A function in its host. */
export interface ServedFunction {
  /** Name in metrics. */
  readonly name: string
  readonly handle: Handle
  /** Returns true if the event is for this function. Default: every event is. */
  readonly accepts?: (event: ExtensionEvent) => boolean
  /**
   * Returns true for an event that is not accepted, but that a class of broker without `filters` sends here anyway: it
   * gets 204. Default: it gets 400, so that a wrong Trigger is noticed.
   */
  readonly ignores?: (event: ExtensionEvent) => boolean
  /** Maximum concurrent events of the function. Absent or 0: no separate limit. */
  readonly maxConcurrency?: number
  readonly log: Log
}

/** Maps paths to functions. */
export interface FunctionPaths {
  readonly functionAt: (path: string) => ServedFunction | undefined
  /** The expected path, for a sender who posts elsewhere. */
  readonly expected: string
}

/** Largest event that is read. The size that all CloudEvents intermediaries must forward is far below. */
export const eventLimitBytes = 1024 * 1024

/** Time limit for receiving an event, in ms. */
const bodyTimeoutMs = 10_000

/** The response to a request. */
export interface HostAnswer {
  readonly status: 204 | 400 | 503
  /** The outcome in the metric; see `EventMetrics.answered`. */
  readonly outcome: string
  readonly retryAfterSeconds?: number
  /** The reason of a refusal: the only body that is ever sent. */
  readonly problem?: string
}

interface AnswerOptions {
  readonly paths: FunctionPaths
  readonly settings: Pick<HostSettings, 'maxConcurrency'>
  readonly metrics: EventMetrics
  /** For events of no function. */
  readonly log: Log
  readonly clock: Clock
  /** Aborts running work. */
  readonly hardStop: AbortSignal
  /** Returns true if no new event is accepted. */
  readonly isDraining: () => boolean
}

/** Handles events from request to response. */
export interface EventAnswers {
  /** Reads and handles an event. Rejects only on a bug of the host. */
  readonly respondTo: (request: IncomingMessage) => Promise<HostAnswer>
  readonly inFlight: () => number
  /** Resolves when no event is in flight. */
  readonly idle: () => Promise<void>
}

/** Processes a request until its response: reads and parses the event, then refuses or handles it. */
export const answerEvents = ({
  paths: { functionAt, expected },
  settings,
  metrics,
  log,
  clock,
  hardStop,
  isDraining,
}: AnswerOptions): EventAnswers => {
  let inFlight = 0
  const inFlightOf = new Map<ServedFunction, number>()
  let idle: (() => void) | undefined

  const respondTo = async (request: IncomingMessage): Promise<HostAnswer> => {
    const served = functionAt(request.url?.split('?')[0] ?? '')
    const answer = await respond(request, served)
    metrics.answered(served?.name, answer.outcome)
    return answer
  }

  const respond = async (
    request: IncomingMessage,
    served: ServedFunction | undefined,
  ): Promise<HostAnswer> => {
    const refuse = (outcome: string, problem: string, fields: object = {}): HostAnswer => {
      ;(served?.log ?? log).warn('event refused', { problem, ...fields })
      return { status: 400, outcome, problem }
    }
    const limits = { limitBytes: eventLimitBytes, timeoutMs: bodyTimeoutMs, clock }
    const read = await readBody(request, limits)
    if (read.kind === 'incomplete') return { status: 503, outcome: 'incomplete' }
    if (read.kind === 'too-large') return refuse('too-large', `larger than ${eventLimitBytes} bytes`)
    if (request.method !== 'POST' || served === undefined)
      return { status: 400, outcome: 'not-an-event', problem: `send events by POST to ${expected}` }
    if (isDraining()) return { status: 503, outcome: 'draining', retryAfterSeconds: 1 }
    const event = parse(request, read.body)
    if (event instanceof MalformedEventError) return refuse('malformed', event.message)
    if (served.accepts && !served.accepts(event)) {
      if (served.ignores?.(event)) return { status: 204, outcome: 'ignored' }
      const { kind, provider } = event
      return refuse(
        'foreign',
        `not for this function: kind ${kind}, provider ${provider}`,
        eventFields(event),
      )
    }
    if (
      isFull(inFlight, settings.maxConcurrency) ||
      isFull(inFlightOf.get(served) ?? 0, served.maxConcurrency)
    )
      return { status: 503, outcome: 'full', retryAfterSeconds: 1 }
    return run(event, served)
  }

  const count = (served: ServedFunction, change: 1 | -1): void => {
    inFlight += change
    const ofFunction = (inFlightOf.get(served) ?? 0) + change
    inFlightOf.set(served, ofFunction)
    metrics.inFlight(served.name, ofFunction)
  }

  const run = async (event: ExtensionEvent, served: ServedFunction): Promise<HostAnswer> => {
    const { log } = served
    count(served, 1)
    try {
      const started = clock.now()
      const outcome = await runHandle(served.handle, event, hardStop, log)
      const durationMs = clock.now() - started
      metrics.handled(served.name, event, outcome.kind, durationMs)
      // Checks are frequent, and their results are in the object.
      const level = event.operation === 'healthcheck' && outcome.kind === 'recorded' ? 'debug' : 'info'
      log[level]('event handled', { ...eventFields(event), outcome: outcome.kind, durationMs })
      if (outcome.kind === 'recorded') return { status: 204, outcome: 'recorded' }
      return outcome.kind === 'busy'
        ? { status: 503, outcome: 'busy', retryAfterSeconds: outcome.retryAfterSeconds }
        : { status: 503, outcome: 'unrecorded' }
    } finally {
      count(served, -1)
      if (inFlight === 0) idle?.()
    }
  }

  return {
    respondTo,
    inFlight: () => inFlight,
    idle: async () => {
      if (inFlight === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      idle = resolve
      await promise
    },
  }
}

/** Without a limit, or with 0, it is never full. */
const isFull = (inFlight: number, most: number | undefined = 0): boolean => most > 0 && inFlight >= most

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
      const { reason, advice } = outcome
      log.warn('cannot record outcome', {
        ...eventFields(event),
        reason,
        ...(advice !== undefined && { advice }),
      })
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

export type ReadBody =
  | { readonly kind: 'whole'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  /** The client stopped sending or was too slow. */
  | { readonly kind: 'incomplete' }

export interface ReadBodyOptions {
  readonly limitBytes: number
  /** For the whole body: a client that sends a byte now and then cannot hold the request forever. */
  readonly timeoutMs: number
  readonly clock: Clock
}

/**
 * A body that is too large is read and discarded up to this multiple of the limit. A response while the client still
 * writes would reset the connection before the client reads the response, and the client would send the same body
 * again.
 */
const discardFactor = 16

/**
 * Reads a request's body. Never rejects. Holds at most the limit in memory. The command line of the functions framework
 * has already read most bodies, into `rawBody`.
 */
export const readBody = (
  request: IncomingMessage,
  { limitBytes, timeoutMs, clock }: ReadBodyOptions,
): Promise<ReadBody> => {
  const { rawBody } = request as { readonly rawBody?: Uint8Array }
  if (rawBody !== undefined)
    return Promise.resolve(
      rawBody.length > limitBytes ? { kind: 'too-large' } : { kind: 'whole', body: rawBody },
    )
  return new Promise(resolve => {
    let chunks: Uint8Array[] = []
    let length = 0
    const finish = (result: ReadBody): void => {
      cancel()
      request.off('data', onData)
      resolve(result)
    }
    const onData = (chunk: Uint8Array): void => {
      length += chunk.length
      if (length <= limitBytes) chunks.push(chunk)
      else chunks = []
      if (length > limitBytes * discardFactor) finish({ kind: 'too-large' })
    }
    const cancel = clock.after(timeoutMs, () => finish({ kind: 'incomplete' }))
    request.on('data', onData)
    request.once('end', () =>
      finish(length > limitBytes ? { kind: 'too-large' } : { kind: 'whole', body: Buffer.concat(chunks) }),
    )
    request.once('close', () => finish({ kind: 'incomplete' }))
    request.once('error', () => finish({ kind: 'incomplete' }))
  })
}

/** Counts events by function name. Undefined: for no function. */
export interface EventMetrics {
  /**
   * Counts every response: recorded, busy, unrecorded, malformed, foreign, ignored, too-large, incomplete, draining, full,
   * not-an-event.
   */
  answered(name: string | undefined, outcome: string): void
  /** Counts events that reached the function's code. */
  handled(name: string, event: ExtensionEvent, outcome: string, durationMs: number): void
  inFlight(name: string, count: number): void
}

/** The metrics of a function's host. Each label has few values, and a sender's text never becomes one. */
export const eventMetrics = (metrics: Metrics): EventMetrics => {
  const answers = metrics.counter('trellis_function_answers_total', 'Answers to POST requests, by outcome.', [
    'outcome',
    'function',
  ])
  const seconds = metrics.histogram(
    'trellis_function_event_seconds',
    'Time from parsed event to outcome, by operation and outcome.',
    ['operation', 'outcome', 'function'],
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60],
  )
  const inFlight = metrics.gauge('trellis_function_events_in_flight', 'Events in progress.', ['function'])
  return {
    answered: (name = '', outcome) => answers({ outcome, function: name }),
    handled: (name, event, outcome, durationMs) =>
      seconds(durationMs / 1000, { operation: event.operation, outcome, function: name }),
    inFlight: (name, count) => inFlight(count, { function: name }),
  }
}
