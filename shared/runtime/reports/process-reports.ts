import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { HostSettings } from '../host-settings.ts'
import { SettingsError } from '../settings.ts'
import { exportSpans } from '../steps/export-spans.ts'
import type { OnStep } from '../steps/record-steps.ts'
import { stepQueue } from '../steps/step-queue.ts'
import { takeOutOfMemory } from './fatal-report.ts'
import { lostSteps, processMetrics, requestMetrics, useOfProcess } from './function-metrics.ts'
import { createReportedMetrics, type ReportedMetrics } from './reported-metrics.ts'
import { createReporter } from './reporter.ts'
import { httpReports, reportToken } from './send-report.ts'

/** The metrics of a process with one or several functions, and their reports. */
export interface ProcessReports {
  readonly metrics: ReportedMetrics
  readonly requests: ReturnType<typeof requestMetrics>
  /** Receives the report of each step. Undefined: steps are not recorded. */
  readonly onStep: OnStep | undefined
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
  settings: Pick<HostSettings, 'reportTo' | 'reportToken' | 'reportSteps' | 'otlpEndpoint'>,
  clock: Clock,
  log: Log,
): ProcessReports => {
  const { reportTo, otlpEndpoint } = settings
  const metrics = createReportedMetrics()
  const requests = requestMetrics(metrics)
  const { started, collect } = processMetrics(metrics)
  const place = placeOfSteps(settings)
  const lostStep = lostSteps(metrics)
  const steps = place === 'bridge' ? stepQueue(lostStep) : undefined
  const spans = otlpEndpoint === undefined ? undefined : exportSpans(name, otlpEndpoint, clock, log)
  const reporter =
    reportTo === undefined
      ? undefined
      : createReporter({
          name,
          metrics,
          send: httpReports(reportTo, reportToken(settings.reportToken)),
          clock,
          log,
          collect: () => collect(useOfProcess()),
          steps,
        })
  return {
    metrics,
    requests,
    onStep:
      place === 'off' && spans === undefined
        ? undefined
        : (report, event) => {
            steps?.push(report)
            if (place === 'log') log.info('step calls', report)
            spans?.step(report, event)
          },
    // Measured from the start of the process, so it includes Node's own startup.
    serves: () => {
      const isAfterDeath = takeOutOfMemory()
      if (isAfterDeath) log.warn('the previous process ran out of memory', { advice: memoryAdvice })
      started(performance.now() / 1000, isAfterDeath)
    },
    close: async () => {
      await Promise.all([reporter?.close(), spans?.close()])
    },
  }
}

/** @throws SettingsError if steps have no receiver */
const placeOfSteps = ({
  reportSteps,
  reportTo,
}: Pick<HostSettings, 'reportTo' | 'reportSteps'>): 'bridge' | 'log' | 'off' => {
  if (reportSteps === 'bridge' && reportTo === undefined)
    throw new SettingsError([
      '--report-steps (TRELLIS_REPORT_STEPS): bridge needs --report-to (TRELLIS_REPORT_TO)',
    ])
  return reportSteps ?? (reportTo === undefined ? 'off' : 'bridge')
}
