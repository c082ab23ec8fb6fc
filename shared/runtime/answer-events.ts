import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import type { ExtensionEvent } from '../events/events.ts'
import { MalformedEventError, parseEvent } from '../events/events.ts'
import type { Log } from '../log/log.ts'
import type { HostSettings } from './host-settings.ts'
import type { Metrics } from './metrics.ts'

/** What became of an event; the host's answer follows from it alone. */
export type HandleOutcome =
  /** The outcome of the step stands in the object, or there was nothing to do: 204. */
  | { readonly kind: 'recorded' }
  /** Somebody else works on the object now: 503 with Retry-After. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  /** The outcome could not be written into the object: 503. */
  | {
      readonly kind: 'unrecorded'
      readonly reason: string
      /** What somebody has to do about it, where that is known. */
      readonly advice?: string
    }

/**
 * Handles one event. The signal aborts only when a shutdown does not want to wait any longer. It does not abort when
 * the client goes away: by then the step has claimed the object, and finishing it costs less than cutting it off and
 * waiting for the claim to expire. A rejection counts as `unrecorded`.
 */
export type Handle = (event: ExtensionEvent, signal: AbortSignal) => Promise<HandleOutcome>

/** A function as its host knows it. */
export interface ServedFunction {
  /** In metrics, beside what is counted. */
  readonly name: string
  readonly handle: Handle
  /** Whether an event is for this function at all; absent: every one is. */
  readonly accepts?: (event: ExtensionEvent) => boolean
  /** Most of its events at the same time; absent or 0: no bound of its own. */
  readonly maxConcurrency?: number
  readonly log: Log
}

/** Which function takes the events of which path. */
export interface FunctionPaths {
  readonly functionAt: (path: string) => ServedFunction | undefined
  /** Where events are taken, for a sender who posts elsewhere. */
  readonly expected: string
}

/** Largest event that is read: the limit that CloudEvents intermediaries are sure to pass on is far below. */
export const eventLimitBytes = 1024 * 1024

/** The one answer to a request. */
export interface HostAnswer {
  readonly status: 204 | 400 | 503
  /** For the metric; see `EventMetrics.answered`. */
  readonly outcome: string
  readonly retryAfterSeconds?: number
  /** Why an event is refused: the only body that is ever sent. */
  readonly problem?: string
}

interface AnswerOptions {
  readonly paths: FunctionPaths
  readonly settings: Pick<HostSettings, 'maxConcurrency' | 'bodyTimeoutMs'>
  readonly metrics: EventMetrics
  /** For what is for none of the functions. */
  readonly log: Log
  readonly clock: Clock
  /** Aborts what is in flight. */
  readonly hardStop: AbortSignal
  /** Nothing new is taken any more. */
  readonly isDraining: () => boolean
}

/** Events on their way from the request to the answer. */
export interface EventAnswers {
  /** Reads an event and has it handled. Rejects on a defect of the host only. */
  readonly respondTo: (request: IncomingMessage) => Promise<HostAnswer>
  readonly inFlight: () => number
  /** Resolves when nothing is in flight. */
  readonly idle: () => Promise<void>
}

/** What is between a request and its answer: the event is read, parsed, refused or handled. */
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
    const limits = { limitBytes: eventLimitBytes, timeoutMs: settings.bodyTimeoutMs, clock }
    const read = await readBody(request, limits)
    if (read.kind === 'incomplete') return { status: 503, outcome: 'incomplete' }
    if (read.kind === 'too-large') return refuse('too-large', `larger than ${eventLimitBytes} bytes`)
    if (request.method !== 'POST' || served === undefined) {
      return { status: 400, outcome: 'not-an-event', problem: `events are taken by POST at ${expected}` }
    }
    if (isDraining()) return { status: 503, outcome: 'draining', retryAfterSeconds: 1 }
    const event = parse(request, read.body)
    if (event instanceof MalformedEventError) return refuse('malformed', event.message)
    if (served.accepts && !served.accepts(event)) {
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
    ) {
      return { status: 503, outcome: 'full', retryAfterSeconds: 1 }
    }
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
      // Checks are many, and what one has found stands in its object.
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

/** Without a bound, or with one of 0, never. */
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
      log.warn('outcome not recorded', {
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
  /** The client stopped sending, or was too slow. */
  | { readonly kind: 'incomplete' }

export interface ReadBodyOptions {
  readonly limitBytes: number
  /** For the whole body: a client that sends a byte now and then does not hold the request for ever. */
  readonly timeoutMs: number
  readonly clock: Clock
}

/**
 * A body that is too large is read on and thrown away up to so many times the limit: answering while the client
 * still writes resets its connection before it has seen the answer, and it would send the same again.
 */
const discardFactor = 16

/** Reads a request's body. Never rejects. Keeps no more than the limit in memory. */
export const readBody = (
  request: IncomingMessage,
  { limitBytes, timeoutMs, clock }: ReadBodyOptions,
): Promise<ReadBody> =>
  new Promise(resolve => {
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

/** What is counted of events, by the name of the function; undefined for what is for none. */
export interface EventMetrics {
  /** Every answer: recorded, busy, unrecorded, malformed, foreign, too-large, incomplete, draining, full, not-an-event. */
  answered(name: string | undefined, outcome: string): void
  /** Events that reached the function's own code. */
  handled(name: string, event: ExtensionEvent, outcome: string, durationMs: number): void
  inFlight(name: string, count: number): void
}

/** The metrics of a function's host. Labels come from a small set each: nothing a sender writes becomes one. */
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
  const inFlight = metrics.gauge('trellis_function_events_in_flight', 'Events being handled now.', [
    'function',
  ])
  return {
    answered: (name = '', outcome) => answers({ outcome, function: name }),
    handled: (name, event, outcome, durationMs) =>
      seconds(durationMs / 1000, { operation: event.operation, outcome, function: name }),
    inFlight: (name, count) => inFlight(count, { function: name }),
  }
}
