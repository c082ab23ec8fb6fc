import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import type { StepReport } from '../journal/journal.ts'
import type { Log } from '../log/log.ts'
import {
  createSeriesCache,
  functionMetricDefinitions,
  type MetricDefinition,
  type Metrics,
  type MetricsReport,
  parseReport,
  readBody,
  reportLimitBytes,
  reportPath,
  type SeriesLimits,
  seriesText,
} from '../runtime/runtime.ts'
import type { ReportSenders } from './report-senders.ts'

/** The sums of the metrics that functions report, including functions that have ended. */
export interface ReportReceiver {
  /**
   * Answers the request and returns true if it is a report. Statuses: 204 counted, 400 and 413 invalid, 401 and 403
   * without a proof of its function, 503 incomplete or too many at once.
   */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Returns the text of the process's own metrics, followed by the reported ones. */
  readonly renderAfter: (own: Pick<Metrics, 'render'>) => ReturnType<Metrics['render']>
}

export interface ReportReceiverOptions {
  /** For its own counters. */
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
  readonly senders: Pick<ReportSenders, 'senderOf'>
  /** Receives the steps of a report. */
  readonly steps?: (reports: readonly StepReport[]) => void
}

const bodyTimeoutMs = 5_000
/**
 * The limits over all metrics of all functions, and of one program. They protect memory and Prometheus from a function
 * with unlimited labels. 25 functions have about 2,500 series, in 0.4 MB.
 */
const inAll: SeriesLimits = { series: 10_000, bytes: 4 * 1024 * 1024 }
const ofProgram: SeriesLimits = { series: 2_500, bytes: 1024 * 1024 }
/**
 * The maximum number of reports that are read at the same time; each may take `reportLimitBytes`. Senders repeat
 * further reports.
 */
const mostAtOnce = 16
/** Names of functions that may create series; a seed has about thirty. */
const mostFunctions = 200

/** Returns the definition of a function's metric by name. */
export const reportedDefinition = (definition: MetricDefinition): MetricDefinition => ({
  ...definition,
  labels: ['program', ...definition.labels],
})

/** The bridge's own metrics, about the reports themselves. */
export const reportMetrics = (metrics: Metrics) =>
  metrics.counter(
    'trellis_bridge_reports_total',
    'Reports of functions, by result: taken, refused, unproved, incomplete, postponed because too many arrived at once, or curtailed by a limit.',
    ['outcome'],
  )

/**
 * Sums the metrics that functions report by POST. Each difference is added once: a sender repeats only what was
 * certainly not accepted.
 */
export const createReportReceiver = ({
  metrics,
  clock,
  log,
  senders,
  steps: onSteps,
}: ReportReceiverOptions): ReportReceiver => {
  const counted = reportMetrics(metrics)
  const known = new Map(functionMetricDefinitions().map(definition => [definition.name, definition]))
  const kept = createSeriesCache(inAll.series, inAll, ofProgram)
  for (const definition of known.values())
    if (definition.type !== 'gauge') kept.define(reportedDefinition(definition))
  const functions = new Set<string>()
  let isCurtailed = false
  let isUnproved = false

  const take = ({ program: name, series, steps = [] }: MetricsReport): 'taken' | 'curtailed' => {
    if (!functions.has(name) && functions.size >= mostFunctions) return 'curtailed'
    functions.add(name)
    onSteps?.(steps)
    let outcome: 'taken' | 'curtailed' = 'taken'
    for (const [metric, all] of Object.entries(series))
      for (const one of all)
        if (!kept.add(metric, { ...one, labels: [name, ...one.labels] })) outcome = 'curtailed'
    return outcome
  }

  let underWay = 0

  /** In little memory. Without it, the sender may not see the answer. */
  const readToItsEnd = (request: IncomingMessage) =>
    readBody(request, { limitBytes: reportLimitBytes / 16, timeoutMs: bodyTimeoutMs, clock })

  const unproved = (reason: string): void => {
    counted({ outcome: 'unproved' })
    if (isUnproved) return
    isUnproved = true
    log.warn('report of metrics without a proof of its function', { reason })
  }

  /** Nothing of a report is parsed before its sender is known, and other senders take no place. */
  const statusOf = async (request: IncomingMessage): Promise<number> => {
    const sender = await senders.senderOf(request.headers.authorization)
    if (sender.kind !== 'program') {
      unproved(sender.kind === 'unknown' ? sender.why : 'it has no token of a function of this namespace')
      await readToItsEnd(request)
      return sender.kind === 'unknown' ? 503 : 401
    }
    return statusOfProved(request, sender.program)
  }

  const statusOfProved = async (request: IncomingMessage, program: string): Promise<number> => {
    if (underWay >= mostAtOnce) {
      counted({ outcome: 'postponed' })
      await readToItsEnd(request)
      return 503
    }
    underWay++
    try {
      return await statusOfTaken(request, program)
    } finally {
      underWay--
    }
  }

  const statusOfTaken = async (request: IncomingMessage, program: string): Promise<number> => {
    const read = await readBody(request, { limitBytes: reportLimitBytes, timeoutMs: bodyTimeoutMs, clock })
    if (read.kind === 'incomplete') {
      counted({ outcome: 'incomplete' })
      return 503
    }
    const report =
      read.kind === 'whole' ? parseReport(Buffer.from(read.body).toString('utf8'), known) : undefined
    if (report === undefined) {
      counted({ outcome: 'refused' })
      log.debug('request is not a report of metrics')
      return read.kind === 'too-large' ? 413 : 400
    }
    if (report.program !== program) {
      unproved(`the token is that of ${program}`)
      return 403
    }
    const outcome = take(report)
    counted({ outcome })
    if (outcome === 'curtailed' && !isCurtailed) {
      isCurtailed = true
      log.warn('reports of metrics exceed the limit of series', { program: report.program })
    }
    return 204
  }

  return {
    answer: (request, response) => {
      if (request.method !== 'POST' || request.url !== reportPath) return false
      statusOf(request).then(
        status => response.writeHead(status, { connection: 'close' }).end(),
        () => response.destroy(),
      )
      return true
    },
    renderAfter: async own => {
      const [first, reported] = await Promise.all([own.render(), seriesText(kept)])
      return { contentType: first.contentType, text: `${first.text}\n${reported.text}` }
    },
  }
}
