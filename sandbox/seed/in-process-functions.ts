import type { Clock } from '../../shared/clock/clock.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { StepLimits, StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import {
  createMetrics,
  handlerOf,
  processSettings,
  processSettingsOf,
  serveFunction,
} from '../../shared/runtime/runtime.ts'
import type { StartFunction } from './seed-function.ts'

export interface InProcessOptions {
  readonly kubernetes: Kubernetes
  /** How functions reach their cloud; the sandbox passes it on and knows nothing of it. Undefined: there is none. */
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
  async definition => {
    const { shape } = processSettingsOf(definition)
    const known = Object.fromEntries(Object.entries(given).filter(([name]) => name in shape))
    const settings = processSettings(definition, {
      flags: { host: '127.0.0.1', port: 0, ...known },
      env: {},
    })
    const metrics = createMetrics()
    const ports = {
      kubernetes,
      clock,
      log,
      connection,
      ...(limits && { limits }),
      ...(onOutcome && { onOutcome }),
    }
    return serveFunction({
      ...handlerOf(definition, settings, ports, metrics),
      settings,
      metrics,
      log,
      clock,
    })
  }
