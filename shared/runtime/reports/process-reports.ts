import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { HostSettings } from '../host-settings.ts'
import { takeOutOfMemory } from './fatal-report.ts'
import { processMetrics, requestMetrics, useOfProcess } from './function-metrics.ts'
import { createReportedMetrics, type ReportedMetrics } from './reported-metrics.ts'
import { createReporter } from './reporter.ts'
import { httpReports } from './send-report.ts'

/** What a process of one function or several counts, and how it is given away. */
export interface ProcessReports {
  readonly metrics: ReportedMetrics
  readonly requests: ReturnType<typeof requestMetrics>
  /** The process serves from now on. */
  readonly serves: () => void
  /** Gives away what is left, where somebody takes it. */
  readonly close: () => Promise<void>
}

const memoryAdvice =
  "V8's limit is --max-old-space-size in NODE_OPTIONS. Set a greater one and a greater limit of the container, or a smaller containerConcurrency."

/** @param name of the program: `aws-dnsrecord`, `aws-compact` */
export const createProcessReports = (
  name: string,
  { reportTo }: Pick<HostSettings, 'reportTo'>,
  clock: Clock,
  log: Log,
): ProcessReports => {
  const metrics = createReportedMetrics()
  const requests = requestMetrics(metrics)
  const { started, collect } = processMetrics(metrics)
  const reporter =
    reportTo === undefined
      ? undefined
      : createReporter({
          name,
          metrics,
          send: httpReports(reportTo),
          clock,
          log,
          collect: () => collect(useOfProcess()),
        })
  return {
    metrics,
    requests,
    // Since the process began: what Node itself needs is in it.
    serves: () => {
      const isAfterDeath = takeOutOfMemory()
      if (isAfterDeath) log.warn('the previous process ran out of memory', { advice: memoryAdvice })
      started(performance.now() / 1000, isAfterDeath)
    },
    close: async () => reporter?.close(),
  }
}
