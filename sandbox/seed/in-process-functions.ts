import type { Clock } from '../../shared/clock/clock.ts'
import type { ExtensionEvent } from '../../shared/events/event.ts'
import type { Kubernetes } from '../../shared/kubernetes/port.ts'
import type { Log } from '../../shared/lifecycle/actuator.ts'
import type { StepLimits } from '../../shared/lifecycle/backend.ts'
import type { StepOutcome } from '../../shared/lifecycle/step/step.ts'
import { handlerOf } from '../../shared/runtime/handler-of.ts'
import { serveFunction } from '../../shared/runtime/host.ts'
import type { HostSettings } from '../../shared/runtime/host-settings.ts'
import { createMetrics } from '../../shared/runtime/metrics.ts'
import { parseSettings } from '../../shared/runtime/settings.ts'
import type { StartFunction } from './seed-function.ts'

export interface InProcessOptions {
  readonly kubernetes: Kubernetes
  /** Of the cloud of the functions' provider. */
  readonly connection: unknown
  readonly clock: Clock
  readonly log: Log
  /** Settings of the functions, by their names; the others are the defaults. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly limits?: StepLimits
  readonly onOutcome?: (outcome: StepOutcome, event: ExtensionEvent) => void
}

/** Runs functions in this process, each behind its own host on 127.0.0.1: the quickest way, and easy to debug. */
export const inProcessFunctions =
  ({
    kubernetes,
    connection,
    clock,
    log,
    settings: given,
    limits,
    onOutcome,
  }: InProcessOptions): StartFunction =>
  async ({ settings: schema, create }) => {
    const known = Object.fromEntries(Object.entries(given).filter(([name]) => name in schema.shape))
    const settings = parseSettings(schema, {
      flags: { host: '127.0.0.1', port: 0, ...known },
      env: {},
    }) as Readonly<Record<string, unknown>> & HostSettings
    const metrics = createMetrics()
    const ports = { kubernetes, clock, log, ...(limits && { limits }), ...(onOutcome && { onOutcome }) }
    // The function's own schema has just parsed its settings, and the connection is its own provider's.
    const fn = create(settings as never, { clock, connection: connection as never })
    return serveFunction({ ...handlerOf(fn, ports, metrics), settings, metrics, log, clock })
  }
