import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { HostSettings } from '../host-settings.ts'
import { takeOutOfMemory } from './fatal-report.ts'
import { processMetrics, requestMetrics, useOfProcess } from './function-metrics.ts'
import { createReportedMetrics, type ReportedMetrics } from './reported-metrics.ts'
import { createReporter } from './reporter.ts'
import { httpReports } from './send-report.ts'

/** The metrics of a process with one or several functions, and their reports. */
export interface ProcessReports {
  readonly metrics: ReportedMetrics
  readonly requests: ReturnType<typeof requestMetrics>
  /** Called when the process starts to serve. */
  readonly serves: () => void
  /** Reports the remaining metrics if a receiver is set. */
  readonly close: () => Promise<void>
}

const memoryAdvice =
  "V8's limit is --max-old-space-size in NODE_OPTIONS. Increase it and the memory limit of the container, or reduce containerConcurrency."

/** @param name the name of the program: `aws-dnsrecord`, `aws-compact` */
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
    // Measured from the start of the process, so it includes Node's own startup.
    serves: () => {
      const isAfterDeath = takeOutOfMemory()
      if (isAfterDeath) log.warn('the previous process ran out of memory', { advice: memoryAdvice })
      started(performance.now() / 1000, isAfterDeath)
    },
    close: async () => reporter?.close(),
  }
}
