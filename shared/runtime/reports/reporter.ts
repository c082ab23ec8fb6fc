import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import { lostReports } from './function-metrics.ts'
import type { ReportedMetrics } from './reported-metrics.ts'
import type { SendReport } from './send-report.ts'

export interface ReporterOptions {
  readonly name: string
  readonly metrics: ReportedMetrics
  readonly send: SendReport
  readonly clock: Clock
  readonly log: Log
  /** Called before each report: for what is read off the process. */
  readonly collect?: () => void
}

/** Gives away what a process counts, some seconds after it has counted something, while it lives. */
export interface Reporter {
  /** Gives away what is left, for a second at most. */
  close(): Promise<void>
}

/** From a change to its report: what happens meanwhile goes along. A pod that scales to zero lives longer. */
const afterMs = 5_000
/** After a failure: doubling. Meanwhile the differences add up, in no more memory. */
const longestAfterMs = 300_000
const limitMs = 2_000
const lastLimitMs = 1_000

/**
 * Reports changes as differences. A receiver that is away costs nothing but the series that wait; it is told by one line of the log. A report whose fate is not known is not sent again: counted too little once, never twice.
 */
export const createReporter = (options: ReporterOptions): Reporter => {
  const { name, metrics, send, clock, log } = options
  const lost = lostReports(metrics)
  let failures = 0
  let cancel: (() => void) | undefined
  let sending: Promise<void> | undefined
  let isClosed = false
  let hasChanged = false
  /** What a report counts itself is no reason for the next one. */
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
    const limit = new AbortController()
    const disarm = clock.after(timeMs, () => limit.abort(new Error('no answer in time')))
    const fate = await send({ program: name, series }, limit.signal)
    disarm()
    if (fate === 'taken') {
      if (failures > 0) log.info('reports of metrics are taken again')
      failures = 0
      return
    }
    if (failures === 0) log.warn('a report of metrics was not taken', { fate })
    failures++
    if (fate === 'not taken') metrics.giveBack(series)
    else lost()
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
  metrics.onChange(() => {
    if (isItself) return
    hasChanged = true
    schedule()
  })

  return {
    close: async () => {
      isClosed = true
      cancel?.()
      await sending
      await report(lastLimitMs)
    },
  }
}
