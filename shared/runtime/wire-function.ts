import type * as z from 'zod'
import { type Clock, systemClock } from '../clock/clock.ts'
import { clusterAccess } from '../kubernetes/access/kubeconfig.ts'
import { createKubernetes } from '../kubernetes/client.ts'
import { httpTransport } from '../kubernetes/transport/http-transport.ts'
import type { StepLimits } from '../lifecycle/backend.ts'
import type { Log } from '../log/log.ts'
import { createLog } from '../log/log.ts'
import type { ExtensionFunction } from './extension-function.ts'
import { handlerOf } from './handler-of.ts'
import type { HostSettings } from './host-settings.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { parseSettings, SettingsError } from './settings.ts'

/** What a function's process is made of. */
export interface FunctionProgram<S extends z.ZodObject> {
  /** The name of the Knative Service. */
  readonly name: string
  /** `hostSettings` and the function's own. */
  readonly settings: S
  readonly create: (settings: Readonly<z.output<S>>, deps: { readonly clock: Clock }) => ExtensionFunction
}

/** A function with everything it stands on, ready to be served by a host. */
export interface WiredFunction<S extends z.ZodObject> extends ReturnType<typeof handlerOf> {
  readonly settings: Readonly<z.output<S>> & HostSettings
  readonly metrics: Metrics
  readonly log: Log
  readonly clock: Clock
}

/**
 * Wires the function of a process: settings from the environment (`TRELLIS_…`), the API server of the pod's service
 * account or of `KUBECONFIG`. Throws a `SettingsError` for settings that cannot be used.
 */
export const wireFunction = async <S extends z.ZodObject>(
  { name, settings: schema, create }: FunctionProgram<S>,
  env: NodeJS.ProcessEnv,
): Promise<WiredFunction<S>> => {
  const settings = parseSettings(schema, { env }) as Readonly<z.output<S>> & HostSettings
  const log = createLog({ level: settings.logLevel, name })
  const clock = systemClock
  const fn = create(settings, { clock })
  const metrics = createMetrics()
  const kubernetes = createKubernetes({ transport: await apiServer(env, clock), clock })
  const ports = { kubernetes, clock, log, limits: limitsOf(settings) }
  return { ...handlerOf(fn, ports, metrics), settings, metrics, log, clock }
}

/** Says in one line why a process cannot start, and returns its exit code: 2 for its settings, 1 for anything else. */
export const startFailure = (name: string, error: unknown): 1 | 2 => {
  process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
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
