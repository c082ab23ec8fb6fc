import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { StepQueue } from '../steps/step-queue.ts'
import { lostReports } from './function-metrics.ts'
import type { ReportedMetrics } from './reported-metrics.ts'
import type { SendReport } from './send-report.ts'

export interface ReporterOptions {
  readonly name: string
  readonly metrics: ReportedMetrics
  readonly send: SendReport
  readonly clock: Clock
  readonly log: Log
  /** Called before each report to read the state of the process. */
  readonly collect?: () => void
  /** Steps to send with the metrics. */
  readonly steps?: StepQueue | undefined
}

/** Reports the metrics of a process a few seconds after a change, while it runs. */
export interface Reporter {
  /** Reports the remaining metrics. Takes one second at most. */
  close(): Promise<void>
}

/**
 * Delay from a change to its report, in milliseconds. Changes in between are included. A pod that scales to zero lives
 * longer.
 */
const afterMs = 5_000
/**
 * Maximum delay after failures, in milliseconds; it doubles each time. Differences add up meanwhile without more
 * memory.
 */
const longestAfterMs = 300_000
const limitMs = 2_000
const lastLimitMs = 1_000

/**
 * Reports changes as differences. If the receiver is unavailable, the cost is only the waiting series and one log line.
 * A report with an unknown result is not sent again: an undercount is better than a double count.
 */
export const createReporter = (options: ReporterOptions): Reporter => {
  const { name, metrics, send, clock, log, steps } = options
  const lost = lostReports(metrics)
  let failures = 0
  let cancel: (() => void) | undefined
  let sending: Promise<void> | undefined
  let isClosed = false
  let hasChanged = false
  /** Counts made by a report itself do not cause another report. */
  let isItself = false

  const itself = (work: () => void): void => {
    isItself = true
    work()
    isItself = false
  }

  const report = async (timeMs: number): Promise<void> => {
    itself(() => options.collect?.())
    hasChanged = false
    const series = metrics.take()
    const ended = steps?.take() ?? []
    const limit = new AbortController()
    const disarm = clock.after(timeMs, () => limit.abort(new Error('no answer in time')))
    const fate = await send(
      { program: name, series, ...(ended.length > 0 && { steps: ended }) },
      limit.signal,
    )
    disarm()
    if (fate === 'taken') {
      if (failures > 0) log.info('reports of metrics are accepted again')
      failures = 0
      return steps !== undefined && steps.size() > 0 ? report(timeMs) : undefined
    }
    if (failures === 0) log.warn('report of metrics was not accepted', { fate })
    failures++
    if (fate === 'not taken') {
      metrics.giveBack(series)
      steps?.giveBack(ended)
    } else lost()
  }

  const schedule = (): void => {
    if (cancel !== undefined || sending !== undefined || isClosed) return
    cancel = clock.after(Math.min(afterMs * 2 ** failures, longestAfterMs), () => {
      cancel = undefined
      sending = report(limitMs).finally(() => {
        sending = undefined
        if (failures > 0 || hasChanged) schedule()
      })
    })
  }
  const changed = (): void => {
    if (isItself) return
    hasChanged = true
    schedule()
  }
  metrics.onChange(changed)
  steps?.onPush(changed)

  return {
    close: async () => {
      isClosed = true
      cancel?.()
      await sending
      await report(lastLimitMs)
    },
  }
}
