import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { StepReport } from '../../../shared/journal/journal.ts'
import type { Log } from '../../../shared/log/log.ts'
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
  seriesText,
} from '../../../shared/runtime/runtime.ts'

/** The sums of the metrics that functions report, including functions that have ended. */
export interface ReportReceiver {
  /**
   * Answers the request and returns true if it is a report. Statuses: 204 counted, 400 and 413 invalid, 503 incomplete
   * or too many at once.
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
  /** Receives the steps of a report. */
  readonly steps?: (reports: readonly StepReport[]) => void
}

const bodyTimeoutMs = 5_000
/** The limit for one metric, over all functions: protects memory and Prometheus from invented series. */
const mostSeriesInAll = 5_000
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
    'Reports of functions, by result: taken, refused, incomplete, postponed because too many arrived at once, or curtailed by a limit.',
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
  steps: onSteps,
}: ReportReceiverOptions): ReportReceiver => {
  const counted = reportMetrics(metrics)
  const known = new Map(functionMetricDefinitions().map(definition => [definition.name, definition]))
  const kept = createSeriesCache(mostSeriesInAll)
  for (const definition of known.values())
    if (definition.type !== 'gauge') kept.define(reportedDefinition(definition))
  const functions = new Set<string>()
  let isCurtailed = false

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

  const statusOf = async (request: IncomingMessage): Promise<number> => {
    if (underWay >= mostAtOnce) {
      counted({ outcome: 'postponed' })
      // Reads the body to its end in little memory; otherwise the sender may not see the answer.
      await readBody(request, { limitBytes: reportLimitBytes / 16, timeoutMs: bodyTimeoutMs, clock })
      return 503
    }
    underWay++
    try {
      return await statusOfTaken(request)
    } finally {
      underWay--
    }
  }

  const statusOfTaken = async (request: IncomingMessage): Promise<number> => {
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
