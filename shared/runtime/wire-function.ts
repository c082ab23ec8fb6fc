import { type Clock, systemClock } from '../clock/clock.ts'
import { clusterAccess, createKubernetes, httpTransport, type Transport } from '../kubernetes/kubernetes.ts'
import type { StepLimits } from '../lifecycle/lifecycle.ts'
import { createLog, type Log } from '../log/log.ts'
import { messageOf } from '../text/message-of.ts'
import type { ServedFunction } from './answer-events.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { formatDefinitionProblem, type SourcePlace } from './definition/definition-error.ts'
import type { FunctionPorts } from './event-handler.ts'
import { handlerOf } from './handler-of.ts'
import type { HostSettings } from './host-settings.ts'
import { lazyHandler } from './lazy-handler.ts'
import type { Metrics } from './metrics.ts'
import { type ProcessSettings, processSettings } from './process-settings.ts'
import { createProcessReports, type ProcessReports } from './reports/process-reports.ts'
import { SettingsError } from './settings.ts'
import { settingsOfFunctions } from './settings-of-functions.ts'

/** A function with all its dependencies, ready to be served by a host. */
export interface WiredFunction extends ReturnType<typeof handlerOf> {
  readonly settings: ProcessSettings
  readonly metrics: Metrics
  readonly reports: ProcessReports
  readonly log: Log
  readonly clock: Clock
}

/** Several functions that share a process. */
export interface WiredFunctions {
  readonly functions: readonly ServedFunction[]
  readonly settings: HostSettings
  /** The settings by function, with secret values replaced. The host's are under the name of the process. */
  readonly printable: Readonly<Record<string, object>>
  readonly metrics: Metrics
  readonly reports: ProcessReports
  readonly log: Log
  readonly clock: Clock
}

/**
 * Wires the function of a process. Settings are read from the environment (`TRELLIS_…`); the API server is that of the
 * pod's service account or of `KUBECONFIG`. Throws a `SettingsError` at once if settings are invalid.
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
  const reports = createProcessReports(definition.name, settings, clock, log)
  const ports = { ...(await portsOf(settings, env, clock, reports)), log }
  return {
    ...handlerOf(definition, settings, ports, reports.metrics),
    settings,
    metrics: reports.metrics,
    reports,
    log,
    clock,
  }
}

/**
 * Wires the functions of one process like `wireFunction`. They share the API server and the metrics; each has its own
 * settings, log and permissions. A function's dependencies are created at its first event. Throws a `SettingsError`
 * that names the functions with invalid settings.
 */
export const wireFunctions = async (
  name: string,
  definitions: readonly FunctionDefinition[],
  env: NodeJS.ProcessEnv,
): Promise<WiredFunctions> => {
  const { host, ofFunction, printable } = settingsOfFunctions(name, definitions, env)
  const clock = systemClock
  const ownLog = createLog({ level: host.logLevel, name })
  const reports = createProcessReports(name, host, clock, ownLog)
  const { metrics } = reports
  const common = await portsOf(host, env, clock, reports)
  const functions = definitions.map(definition => {
    const log = createLog({ level: host.logLevel, name: definition.name })
    const settings = ofFunction(definition)
    return {
      ...lazyHandler(definition, () => handlerOf(definition, settings, { ...common, log }, metrics).handle),
      log,
    }
  })
  return {
    functions,
    settings: host,
    printable,
    metrics,
    reports,
    log: ownLog,
    clock,
  }
}

/**
 * Writes one line with the reason why a process cannot start. Returns its exit code: 2 for invalid settings, 1 for
 * anything else.
 */
export const startFailure = (name: string, error: unknown, place?: SourcePlace): 1 | 2 => {
  const message = `${name}: ${messageOf(error)}`
  process.stderr.write(
    `${formatDefinitionProblem({ place: error instanceof SettingsError ? undefined : place, message })}\n`,
  )
  return error instanceof SettingsError ? 2 : 1
}

const portsOf = async (
  settings: HostSettings,
  env: NodeJS.ProcessEnv,
  clock: Clock,
  { requests }: Pick<ProcessReports, 'requests'>,
): Promise<Omit<FunctionPorts, 'log'>> => {
  const transport = countedTransport(await apiServer(env, clock), requests.kubernetes)
  return {
    kubernetes: createKubernetes({ transport, clock }),
    clock,
    limits: limitsOf(settings),
    onRequest: requests.cloud,
  }
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

/** Counts each request by the status of its response. */
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
