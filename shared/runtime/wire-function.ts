import { type Clock, systemClock } from '../clock/clock.ts'
import { messageOf } from '../contract/message-of.ts'
import { clusterAccess, createKubernetes, httpTransport, type Transport } from '../kubernetes/kubernetes.ts'
import type { StepLimits } from '../lifecycle/lifecycle.ts'
import { createLog, type Log } from '../log/log.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { formatDefinitionProblem, type SourcePlace } from './definition/definition-error.ts'
import { handlerOf } from './handler-of.ts'
import type { HostSettings } from './host-settings.ts'
import { type ProcessSettings, processSettings } from './process-settings.ts'
import { processMetrics, requestMetrics, useOfProcess } from './reports/function-metrics.ts'
import { createReportedMetrics, type ReportedMetrics } from './reports/reported-metrics.ts'
import { createReporter, type Reporter } from './reports/reporter.ts'
import { httpReports } from './reports/send-report.ts'
import { SettingsError } from './settings.ts'

/** A function with everything it stands on, ready to be served by a host. */
export interface WiredFunction extends ReturnType<typeof handlerOf> {
  readonly settings: ProcessSettings
  readonly metrics: ReportedMetrics
  /** Counts a process that serves, so many s after its start. */
  readonly started: (seconds: number) => void
  /** Absent: nobody takes reports. */
  readonly reporter: Reporter | undefined
  readonly log: Log
  readonly clock: Clock
}

/**
 * Wires the function of a process: settings from the environment (`TRELLIS_…`), the API server of the pod's service
 * account or of `KUBECONFIG`. Throws a `SettingsError`, at once, for settings that cannot be used.
 */
export const wireFunction = (
  definition: FunctionDefinition,
  env: NodeJS.ProcessEnv,
): Promise<WiredFunction> => wire(definition, processSettings(definition, { env }), env)

const wire = async (
  definition: FunctionDefinition,
  settings: ProcessSettings,
  env: NodeJS.ProcessEnv,
): Promise<WiredFunction> => {
  const log = createLog({ level: settings.logLevel, name: definition.name })
  const clock = systemClock
  const metrics = createReportedMetrics()
  const requests = requestMetrics(metrics)
  const { started, collect } = processMetrics(metrics)
  const transport = countedTransport(await apiServer(env, clock), requests.kubernetes)
  const kubernetes = createKubernetes({ transport, clock })
  const ports = { kubernetes, clock, log, limits: limitsOf(settings), onRequest: requests.cloud }
  const reporter =
    settings.reportTo === undefined
      ? undefined
      : createReporter({
          name: definition.name,
          metrics,
          send: httpReports(settings.reportTo),
          clock,
          log,
          collect: () => collect(useOfProcess()),
        })
  return {
    ...handlerOf(definition, settings, ports, metrics),
    settings,
    metrics,
    started,
    reporter,
    log,
    clock,
  }
}

/** Says in one line why a process cannot start, and returns its exit code: 2 for its settings, 1 for anything else. */
export const startFailure = (name: string, error: unknown, place?: SourcePlace): 1 | 2 => {
  const message = `${name}: ${messageOf(error)}`
  process.stderr.write(
    `${formatDefinitionProblem({ place: error instanceof SettingsError ? undefined : place, message })}\n`,
  )
  return error instanceof SettingsError ? 2 : 1
}

const limitsOf = ({ stepLimitMs, stepMarginMs }: HostSettings): StepLimits => ({
  stepMs: stepLimitMs,
  marginMs: stepMarginMs,
})

const apiServer = async (env: NodeJS.ProcessEnv, clock: Clock) => {
  const host = env.KUBERNETES_SERVICE_HOST
  const port = env.KUBERNETES_SERVICE_PORT
  const access = await clusterAccess({
    clock,
    ...(env.KUBECONFIG === undefined ? {} : { file: env.KUBECONFIG }),
    ...(host === undefined || port === undefined ? {} : { inCluster: { host, port } }),
  })
  return httpTransport({ access }).send
}

/** Counts each request by how its answer begins. */
const countedTransport =
  (transport: Transport, count: (method: string, status: string) => void): Transport =>
  async request => {
    try {
      const answer = await transport(request)
      count(request.method, String(answer.status))
      return answer
    } catch (error) {
      count(request.method, 'none')
      throw error
    }
  }
