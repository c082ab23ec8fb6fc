import type { IncomingMessage } from 'node:http'
import type { PostAnswer } from '../../../shared/events/events.ts'
import { createKubernetes, type Transport } from '../../../shared/kubernetes/kubernetes.ts'
import type { StepLimits } from '../../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../../shared/log/log.ts'
import {
  answerEvents,
  createMetrics,
  eventMetrics,
  type FunctionPaths,
  handlerOf,
  processSettings,
  processSettingsOf,
} from '../../../shared/runtime/runtime.ts'
import type { SeedFunction } from '../../seed/seed.ts'
import type { RunningStep } from '../process/process.ts'
import { processTransport } from '../process/process-transport.ts'
import { runningCode } from '../process/running-code.ts'
import { type AnswerPost, brokenConnection } from '../process/simulated-post.ts'
import type { SimulatedProcess } from '../process/simulated-process.ts'

export interface InstanceOptions {
  readonly process: SimulatedProcess
  /** One function at `/`, or several at the paths of their names. */
  readonly functions: readonly SeedFunction[]
  readonly isCompact: boolean
  /** The most events at a time, by function. */
  readonly concurrency: ReadonlyMap<string, number>
  readonly transport: Transport
  /** Returns the `connection` of a function. */
  readonly connection: (fn: SeedFunction) => unknown
  /** Settings of the functions, by name. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly random: () => number
  readonly log: Log
  readonly limits?: StepLimits
}

/** A process of functions. */
export interface FunctionInstance {
  readonly process: SimulatedProcess
  /** Rejects with a broken connection when the process ends. */
  readonly answer: AnswerPost
  readonly inFlight: () => number
  /** Ends it as SIGTERM does: it accepts no events, and has some time for those in flight. */
  readonly stop: () => Promise<void>
  readonly isStopping: () => boolean
}

/** As the defaults of a host: time for steps in flight, and then for their answers, in ms. */
const drainMs = 25_000
const lastGraceMs = 2_000

const own = { address: '127.0.0.1', port: 0 }

export const startInstance = (options: InstanceOptions): FunctionInstance => {
  const { process, functions, isCompact, log, random } = options
  const { clock } = process
  const metrics = createMetrics()
  const kubernetes = createKubernetes({
    transport: processTransport(process, options.transport),
    clock,
    random,
  })
  const served = functions.map(fn => {
    const { shape } = processSettingsOf(fn)
    const known = Object.fromEntries(Object.entries(options.settings).filter(([name]) => name in shape))
    const settings = processSettings(fn, { flags: { ...own, ...known }, env: {} })
    const ports = {
      kubernetes,
      clock,
      log,
      connection: options.connection(fn),
      ...(options.limits && { limits: options.limits }),
    }
    return {
      ...handlerOf(fn, settings, ports, metrics),
      maxConcurrency: options.concurrency.get(fn.name) ?? 1,
      log,
      settings,
    }
  })
  const [first] = served
  if (first === undefined) throw new TypeError(`${process.name} has no function`)
  const paths: FunctionPaths = {
    functionAt: path => (isCompact ? served.find(({ name }) => path === `/${name}`) : first),
    expected: '/',
  }
  const hardStop = new AbortController()
  let isStopping = false
  const events = answerEvents({
    paths,
    settings: first.settings,
    metrics: eventMetrics(metrics),
    log,
    clock,
    hardStop: hardStop.signal,
    isDraining: () => isStopping,
  })
  const respond = async (url: string, headers: Readonly<Record<string, string>>, body: Uint8Array) => {
    await process.whileStopped()
    const answer = await runningCode.run({ process, step: stepOf(headers) }, () =>
      events.respondTo({
        method: 'POST',
        url: new URL(url).pathname,
        headersDistinct: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
        rawBody: body,
      } as unknown as IncomingMessage),
    )
    await process.whileStopped()
    return postAnswer(answer)
  }
  return {
    process,
    inFlight: events.inFlight,
    isStopping: () => isStopping,
    stop: async () => {
      isStopping = true
      await Promise.race([events.idle(), clock.sleep(drainMs)])
      hardStop.abort(new Error('the process is shutting down'))
      await Promise.race([events.idle(), clock.sleep(lastGraceMs)])
      process.kill()
    },
    answer: (url, { headers, body }) =>
      Promise.race([
        respond(url, headers, typeof body === 'string' ? Buffer.from(body) : body),
        process.ended.then(() => Promise.reject(brokenConnection())),
      ]),
  }
}

const stepOf = (headers: Readonly<Record<string, string>>): RunningStep => ({
  event: headers['ce-id'] ?? '',
  kind: headers['ce-kind'] ?? '',
  namespace: headers['ce-namespace'] || undefined,
  name: headers['ce-name'] ?? '',
})

const postAnswer = ({
  status,
  retryAfterSeconds,
  problem = '',
}: {
  readonly status: number
  readonly retryAfterSeconds?: number
  readonly problem?: string
}): PostAnswer => ({
  status,
  headers:
    retryAfterSeconds === undefined
      ? {}
      : { 'retry-after': String(Math.max(Math.ceil(retryAfterSeconds), 1)) },
  body: Buffer.from(problem),
})
