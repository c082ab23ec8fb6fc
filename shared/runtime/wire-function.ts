import { type Clock, systemClock } from '../clock/clock.ts'
import type { ExtensionEvent } from '../events/events.ts'
import {
  clusterAccess,
  createKubernetes,
  httpTransport,
  type Kubernetes,
  permittedKubernetes,
  type Transport,
} from '../kubernetes/kubernetes.ts'
import {
  type Backend,
  createWriteOrder,
  runStep,
  type StepLimits,
  type StepOutcome,
} from '../lifecycle/lifecycle.ts'
import { createLog, type Log } from '../log/log.ts'
import { ownPermissions, routedTypes } from '../secondary/secondary.ts'
import { printError } from '../terminal/print.ts'
import { messageOf } from '../text/message-of.ts'
import type { Handle, ServedFunction } from './answer-events.ts'
import type { CloudRequest, FunctionDefinition, FunctionDeps } from './definition/definition.ts'
import { formatDefinitionProblem, type SourcePlace } from './definition/definition-error.ts'
import { defaultConcurrency } from './definition/function-service.ts'
import type { HostSettings } from './host-settings.ts'
import type { Metrics } from './metrics.ts'
import { type ProcessSettings, processSettings } from './process-settings.ts'
import { cloudService, stepMetrics } from './reports/function-metrics.ts'
import { createProcessReports, type ProcessReports } from './reports/process-reports.ts'
import { secondaryHandler } from './secondary-handler.ts'
import { SettingsError } from './settings.ts'
import { settingsOfFunctions } from './settings-of-functions.ts'
import { type OnStep, recordSteps } from './steps/record-steps.ts'

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
  return { functions, settings: host, printable, metrics, reports, log: ownLog, clock }
}

/**
 * Writes one line with the reason why a process cannot start. Returns its exit code: 2 for invalid settings, 1 for
 * anything else.
 */
export const startFailure = (name: string, error: unknown, place?: SourcePlace): 1 | 2 => {
  const message = `${name}: ${messageOf(error)}`
  printError(
    `${formatDefinitionProblem({ place: error instanceof SettingsError ? undefined : place, message })}\n`,
  )
  return error instanceof SettingsError ? 2 : 1
}

const portsOf = async (
  settings: HostSettings,
  env: NodeJS.ProcessEnv,
  clock: Clock,
  { requests, onStep }: Pick<ProcessReports, 'requests' | 'onStep'>,
): Promise<Omit<FunctionPorts, 'log'>> => {
  const transport = countedTransport(await apiServer(env, clock), requests.kubernetes)
  return {
    kubernetes: createKubernetes({ transport, clock }),
    clock,
    limits: limitsOf(settings),
    onRequest: cloudRequestCounter(requests),
    onStep,
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
  (transport: Transport, count: ProcessReports['requests']['kubernetes']): Transport =>
  async request => {
    try {
      const answer = await transport(request)
      count({ method: request.method, status: String(answer.status) })
      return answer
    } catch (error) {
      count({ method: request.method, status: 'none' })
      throw error
    }
  }

const cloudRequestCounter =
  ({ cloud, seconds, throttled }: ProcessReports['requests']) =>
  ({ service, operation, status, durationMs, throttled: isThrottled }: CloudRequest): void => {
    cloud({ [cloudService]: service, operation, status })
    seconds(durationMs / 1000, { [cloudService]: service })
    if (isThrottled) throttled({ [cloudService]: service })
  }

/** The ports that a process passes to its function. */
export interface FunctionPorts {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  /** How to connect to the cloud. Absent: the function's default. The provider defines its type. */
  readonly connection?: unknown
  readonly limits?: StepLimits
  /** Called for each request to the cloud, for metrics. */
  readonly onRequest?: (request: CloudRequest) => void
  /** Called with the report of each step. Absent: steps are not recorded. */
  readonly onStep?: OnStep | undefined
  /** Called for each outcome, for metrics. */
  readonly onOutcome?: (outcome: StepOutcome, event: ExtensionEvent) => void
}

/**
 * Handles one event as one step or one health check. Never throws. The signal aborts when the process must end at once.
 */
export type EventHandler = (event: ExtensionEvent, signal: AbortSignal) => Promise<StepOutcome>

/** Creates the handler of one process. The definition's `settings` have parsed the settings. */
export const eventHandler = (
  definition: FunctionDefinition,
  settings: Readonly<Record<string, unknown>>,
  { connection, onOutcome, onRequest, onStep, ...ports }: FunctionPorts,
): EventHandler => {
  const recorder = onStep && recordSteps(definition.name, ports.clock, onStep)
  const observeRequest = (request: CloudRequest): void => {
    onRequest?.(request)
    recorder?.request(request)
  }
  const functionDeps: FunctionDeps = {
    clock: ports.clock,
    ...(connection !== undefined && { connection }),
    ...((onRequest ?? recorder) !== undefined && { onRequest: observeRequest }),
  }
  // The permissions of the function's ServiceAccount in a cluster.
  const kubernetes = permittedKubernetes(recorder?.kubernetes(ports.kubernetes) ?? ports.kubernetes, [
    ...ownPermissions(definition),
    ...definition.permissions,
  ])
  const order = createWriteOrder()
  const recorded = (
    event: ExtensionEvent,
    run: (onFailure?: (why: string) => void) => Promise<StepOutcome>,
  ) => order.step(keyOf(event), () => (recorder === undefined ? run() : recorder.run(event, run)))
  if (definition.secondary !== undefined) {
    const { secondary } = definition
    const actuator = secondary.create(settings, functionDeps as never)
    const observe = secondaryHandler({ ...ports, kubernetes, definition, secondary, actuator })
    return async (event, signal) => {
      const outcome = await recorded(event, onFailure => observe(event, signal, onFailure))
      onOutcome?.(outcome, event)
      return outcome
    }
  }
  const { kind, types, classes, finalizerSuffix, resyncMs, ignoresSecret, classifiers, health } = definition
  const backend: Backend = {
    kind,
    types,
    classes,
    ...(finalizerSuffix !== undefined && { finalizerSuffix }),
    ...(resyncMs !== undefined && { resyncMs }),
    ...(ignoresSecret && { ignoresSecret }),
    ...(classifiers && { classifiers }),
    actuator: definition.create(settings, functionDeps),
  }
  const checked = async (event: ExtensionEvent, signal: AbortSignal): Promise<StepOutcome> => {
    if (health === undefined) return { kind: 'recorded', how: 'nothing-to-do' }
    // Loaded on demand, because most functions have no health checks.
    const { runHealthCheck } = await import('../health/health.ts')
    return order.check(keyOf(event), writer =>
      runHealthCheck({ ...ports, kubernetes, backend, definition: health, writer }, event, signal),
    )
  }
  const step = (event: ExtensionEvent, signal: AbortSignal): Promise<StepOutcome> =>
    recorded(event, onFailure => runStep({ ...ports, kubernetes, backend, onFailure }, event, signal))
  return async (event, signal) => {
    const outcome = await (event.operation === 'healthcheck' ? checked(event, signal) : step(event, signal))
    onOutcome?.(outcome, event)
    return outcome
  }
}

const keyOf = ({ namespace = '', name }: ExtensionEvent): string => `${namespace}/${name}`

/**
 * Returns the parts that a host needs to serve a function: its name, its accepted events, and a handler that counts
 * outcomes.
 */
export const handlerOf = (
  definition: FunctionDefinition,
  settings: Readonly<Record<string, unknown>>,
  ports: FunctionPorts,
  metrics: Metrics,
): Omit<ServedFunction, 'log'> => {
  const { name, kind } = definition
  const steps = stepMetrics(metrics)
  const handle = eventHandler(definition, settings, {
    ...ports,
    onOutcome: (outcome, event) => {
      const how = outcome.kind === 'recorded' ? outcome.how : outcome.kind
      steps({ kind, operation: event.operation, outcome: how, function: name })
      ports.onOutcome?.(outcome, event)
    },
  })
  return { name, handle, ...selectionOf(definition) }
}

/** The events of a function. One of several types has a Trigger whose `filter`, without `filters`, has only the kind. */
const selectionOf = (definition: FunctionDefinition): Pick<ServedFunction, 'accepts' | 'ignores'> => {
  const { kind } = definition
  const routed = routedTypes(definition)
  return {
    accepts: event => event.kind === kind && routed.includes(event.provider),
    ignores: event => event.kind === kind && routed.length > 1,
  }
}

/**
 * A function in a process with others. Its handler is created at the first event, and retried at the next event if that
 * fails, so a broken function does not affect the others. Its concurrency is the same as in a process of its own.
 */
export const lazyHandler = (
  definition: FunctionDefinition,
  make: () => Handle,
): Omit<ServedFunction, 'log'> => {
  const { name, service } = definition
  let made: Handle | undefined
  return {
    name,
    handle: async (event, signal) => {
      made ??= make()
      return made(event, signal)
    },
    ...selectionOf(definition),
    maxConcurrency: service.concurrency?.value ?? defaultConcurrency,
  }
}
