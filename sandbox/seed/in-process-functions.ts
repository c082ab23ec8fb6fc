import type { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod'
import type { Clock } from '../../shared/clock/clock.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { StepLimits, StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import {
  createMetrics,
  type FunctionDefinition,
  functionService,
  type HostSettings,
  handlerOf,
  hostSettings,
  type Metrics,
  type OnStep,
  parseSettings,
  processSettings,
  processSettingsOf,
  serveFunctions,
} from '../../shared/runtime/runtime.ts'
import type { RunningFunction, StartFunction } from './seed-function.ts'

export interface InProcessOptions {
  readonly kubernetes: Kubernetes
  /** Connects functions to their cloud; the sandbox only passes it on. Undefined: no cloud. */
  readonly connection: unknown
  readonly clock: Clock
  readonly log: Log
  /** Settings of the functions by name. Absent settings have their defaults. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Holds the object of the event that a function is handling: `DNSRecord shoot--a--b/c`. Default: not recorded. */
  readonly handled?: AsyncLocalStorage<string>
  readonly limits?: StepLimits
  readonly onOutcome?: (outcome: StepOutcome, event: ExtensionEvent) => void
  readonly onStep?: OnStep
}

const near = { address: '127.0.0.1', port: 0 }

/** Runs each function in this process behind its own host on 127.0.0.1. This is fastest and easy to debug. */
export const inProcessFunctions =
  (options: InProcessOptions): StartFunction =>
  async definition => {
    const { clock, log } = options
    const metrics = createMetrics()
    return serveFunctions({ ...wired(definition, options, metrics), metrics, log, clock })
  }

/**
 * Runs functions in this process behind one host, each at the path of its name, like the compact program of a provider.
 */
export const inProcessTogether = (
  definitions: readonly FunctionDefinition[],
  options: InProcessOptions,
): Promise<RunningFunction> => {
  const { clock, log } = options
  const metrics = createMetrics()
  const settings: HostSettings = parseSettings(z.object(hostSettings), { flags: near, env: {} })
  const functions = definitions.map(definition => ({
    ...wired(definition, options, metrics),
    maxConcurrency: functionService(definition.service).concurrency.value,
    log,
  }))
  return serveFunctions({ functions, settings, metrics, log, clock })
}

const wired = (
  definition: FunctionDefinition,
  {
    kubernetes,
    connection,
    clock,
    log,
    settings: given,
    handled,
    limits,
    onOutcome,
    onStep,
  }: InProcessOptions,
  metrics: Metrics,
) => {
  const { shape } = processSettingsOf(definition)
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => name in shape))
  const settings = processSettings(definition, { flags: { ...near, ...known }, env: {} })
  const ports = {
    kubernetes,
    clock,
    log,
    connection,
    ...(limits && { limits }),
    ...(onOutcome && { onOutcome }),
    ...(onStep && { onStep }),
  }
  const { handle, ...handler } = handlerOf(definition, settings, ports, metrics)
  return {
    ...handler,
    handle:
      handled === undefined
        ? handle
        : (event: ExtensionEvent, signal: AbortSignal) =>
            handled.run(`${event.kind} ${event.subject}`, () => handle(event, signal)),
    settings,
  }
}
