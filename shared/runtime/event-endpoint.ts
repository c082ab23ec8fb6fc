import type { Domain } from 'node:domain'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
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
  readonly settings: Pick<HostSettings, 'maxConcurrency' | 'drainMs'>
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
}

/** One function, at `/`. */
export interface OneFunction extends ServingOptions, Omit<ServedFunction, 'maxConcurrency'> {}

/** Several functions, each at the path of its name: `/aws-dnsrecord`. */
export interface SeveralFunctions extends ServingOptions {
  readonly functions: readonly ServedFunction[]
}

/** The requests of a process, behind any HTTP server. */
export interface EventEndpoint {
  /** Answers a request for a probe, the metrics or an event. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * It is unready at once and answers new events with 503. Work in flight gets `drainMs` to finish, then is aborted.
   * Resolves with the number of events still in flight. To be called once.
   */
  readonly drain: () => Promise<number>
}

/**
 * Grace period in milliseconds for aborted steps to answer and for open reads and writes to end, before the connections
 * are cut.
 */
export const lastGraceMs = 2_000

/** Maximum bytes of a refusal's text. Knative's brokers put this much into `knativeerrordata` of a dead letter. */
const problemLimitBytes = 1024

/**
 * Answers the requests of one or several functions: `POST` accepts a CloudEvent in binary or structured mode; the
 * probes are those of `createProbes`. Only three statuses are used, because brokers disagree on others: 204 recorded,
 * 503 retry, 400 do not send again (malformed, too large, not for this function). Only a 400 has a body, the reason as
 * plain text: brokers look for an event in the body of a 2xx, and store the body of a refusal with the dead letter.
 */
export const eventEndpoint = (options: OneFunction | SeveralFunctions): EventEndpoint => {
  const { settings, log, clock, metrics } = options
  const hardStop = new AbortController()
  let isDraining = false

  const probes = createProbes({ ready: () => !isDraining, metrics })
  const events = answerEvents({
    paths: pathsOf(options),
    settings,
    metrics: eventMetrics(metrics),
    log,
    clock,
    hardStop: hardStop.signal,
    isDraining: () => isDraining,
  })

  const send = (request: IncomingMessage, response: ServerResponse, answer: HostAnswer): void => {
    if (answer.retryAfterSeconds !== undefined)
      response.setHeader('retry-after', String(Math.max(Math.ceil(answer.retryAfterSeconds), 1)))
    // A connection with an unread request body cannot be reused.
    if (isDraining || !request.complete) response.setHeader('connection', 'close')
    if (answer.status === 204) response.writeHead(204).end()
    else refuse(response, answer.status, answer.problem)
  }

  return {
    answer: (request, response) => {
      if (request.method !== 'POST' && probes(request, response)) return
      events
        .respondTo(request)
        .then(answer => send(request, response, answer))
        .catch(error => {
          log.error('answer failed', { error })
          response.destroy()
        })
    },
    drain: async () => {
      isDraining = true
      log.info('draining', { inFlight: events.inFlight() })
      if (events.inFlight() === 0) return 0
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
      return events.inFlight()
    },
  }
}

const pathsOf = (options: OneFunction | SeveralFunctions): FunctionPaths => {
  if (!('functions' in options))
    return { functionAt: path => (path === '/' ? options : undefined), expected: '/' }
  const served = new Map<string, ServedFunction>(options.functions.map(one => [`/${one.name}`, one]))
  return {
    functionAt: path => served.get(path),
    expected: `/ and the name of a function, one of ${options.functions.map(({ name }) => name).join(', ')}`,
  }
}

const refuse = (response: ServerResponse, status: 400 | 503, problem: string | undefined): void => {
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

/** Loads the functions framework. Later than this module, because commands that run a function need no express. */
export const loadFramework = async () => {
  const { http } = await import('@google-cloud/functions-framework')
  const { getTestServer } = await import('@google-cloud/functions-framework/testing')
  return { http, getTestServer }
}

/** The framework's registry needs a name; no sender sees it. */
const registered = 'trellis'

/**
 * Creates the server of the functions framework for the answers of an endpoint. Unlike the framework's command line,
 * its test server leaves signals to the process.
 */
export const frameworkServer = async (answer: RequestListener): Promise<Server> => {
  const { http, getTestServer } = await loadFramework()
  http(registered, (request, response) => {
    // An error outside of a step ends the process, as with Node's server. In this domain the framework would send its
    // text to the sender and continue.
    const { domain } = process as { readonly domain?: Pick<Domain, 'exit'> | null }
    domain?.exit()
    answer(request, response)
  })
  return getTestServer(registered).prependListener('request', hideBody)
}

/**
 * Hides the body from the framework. It would read and decompress up to 1 GiB without a time limit, and quote broken
 * JSON, which may be secret, in its log and answer.
 */
const hideBody: RequestListener = ({ headers }) => {
  delete headers['content-length']
  delete headers['transfer-encoding']
}
