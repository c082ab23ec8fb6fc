import { type Clock, systemClock } from '../clock/clock.ts'
import { messageOf } from '../contract/message-of.ts'
import { clusterAccess, createKubernetes, httpTransport } from '../kubernetes/kubernetes.ts'
import type { StepLimits } from '../lifecycle/lifecycle.ts'
import { createLog, type Log } from '../log/log.ts'
import type { ServedFunction } from './answer-events.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { formatDefinitionProblem, type SourcePlace } from './definition/definition-error.ts'
import type { FunctionPorts } from './event-handler.ts'
import { handlerOf } from './handler-of.ts'
import type { HostSettings } from './host-settings.ts'
import { lazyHandler } from './lazy-handler.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { type ProcessSettings, processSettings } from './process-settings.ts'
import { SettingsError } from './settings.ts'
import { settingsOfFunctions } from './settings-of-functions.ts'

/** A function with everything it stands on, ready to be served by a host. */
export interface WiredFunction extends ReturnType<typeof handlerOf> {
  readonly settings: ProcessSettings
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
}

/** Several functions that share a process. */
export interface WiredFunctions {
  readonly functions: readonly ServedFunction[]
  readonly settings: HostSettings
  /** What is set, secret values replaced, by function; those of the host under the name of the process. */
  readonly printable: Readonly<Record<string, object>>
  readonly metrics: Metrics
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
  const metrics = createMetrics()
  const ports = { ...(await portsOf(settings, env, clock)), log }
  return { ...handlerOf(definition, settings, ports, metrics), settings, metrics, log, clock }
}

/**
 * Wires the functions of one process as `wireFunction` does one: the API server and the metrics are common to them, each
 * has its settings, its log and its permissions. What a function is made of is made at its first event. Throws a
 * `SettingsError` that says whose setting is broken.
 */
export const wireFunctions = async (
  name: string,
  definitions: readonly FunctionDefinition[],
  env: NodeJS.ProcessEnv,
): Promise<WiredFunctions> => {
  const { host, ofFunction, printable } = settingsOfFunctions(name, definitions, env)
  const clock = systemClock
  const metrics = createMetrics()
  const common = await portsOf(host, env, clock)
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
    log: createLog({ level: host.logLevel, name }),
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

const portsOf = async (
  settings: HostSettings,
  env: NodeJS.ProcessEnv,
  clock: Clock,
): Promise<Omit<FunctionPorts, 'log'>> => ({
  kubernetes: createKubernetes({ transport: await apiServer(env, clock), clock }),
  clock,
  limits: limitsOf(settings),
})

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
