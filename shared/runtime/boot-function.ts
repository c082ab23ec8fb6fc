import type * as z from 'zod'
import { type Clock, systemClock } from '../clock/clock.ts'
import { createKubernetes } from '../kubernetes/client.ts'
import { httpTransport } from '../kubernetes/http-transport.ts'
import { clusterAccess } from '../kubernetes/kubeconfig.ts'
import type { StepLimits } from '../lifecycle/backend.ts'
import type { ExtensionFunction } from './extension-function.ts'
import { handlerOf } from './handler-of.ts'
import { serveFunction } from './host.ts'
import type { HostSettings } from './host-settings.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { parseSettings, printableSettings, SettingsError } from './settings.ts'

/** What a function's process is made of. */
export interface FunctionProgram<S extends z.ZodObject> {
  /** The name of the Knative Service. */
  readonly name: string
  /** `hostSettings` and the function's own. */
  readonly settings: S
  readonly create: (settings: Readonly<z.output<S>>, deps: { readonly clock: Clock }) => ExtensionFunction
}

/**
 * The process of a function: settings from the environment (`TRELLIS_…`), the API server of the pod's service account
 * or of `KUBECONFIG`, the host. Ends at SIGTERM once the work in flight is done. Settings that cannot be used end it
 * with code 2 and one line, anything else that keeps it from starting with code 1.
 */
export const bootFunction = async <S extends z.ZodObject>(program: FunctionProgram<S>): Promise<void> => {
  try {
    await serve(program)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${program.name}: ${message}\n`)
    process.exitCode = error instanceof SettingsError ? 2 : 1
  }
}

const serve = async <S extends z.ZodObject>({ name, settings: schema, create }: FunctionProgram<S>) => {
  const { env } = process
  const settings = parseSettings(schema, { env }) as Readonly<z.output<S>> & HostSettings
  const log = createLog({ level: settings.logLevel, name })
  const clock = systemClock
  const fn = create(settings, { clock })
  const metrics = createMetrics()
  const kubernetes = createKubernetes({ transport: await apiServer(env, clock), clock })
  const host = await serveFunction({
    ...handlerOf(fn, { kubernetes, clock, log, limits: limitsOf(settings) }, metrics),
    settings,
    metrics,
    log,
    clock,
  })
  log.info('function serves', { url: host.url, settings: printableSettings(schema, settings) })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      host.close().then(() => process.exit(0))
    })
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
