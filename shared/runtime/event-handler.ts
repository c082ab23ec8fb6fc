import type { Clock } from '../clock/clock.ts'
import type { ExtensionEvent } from '../events/events.ts'
import type { Kubernetes } from '../kubernetes/kubernetes.ts'
import { permittedKubernetes } from '../kubernetes/kubernetes.ts'
import type { Backend, StepLimits, StepOutcome } from '../lifecycle/lifecycle.ts'
import { createWriteOrder, lifecyclePermissions, runStep } from '../lifecycle/lifecycle.ts'
import type { Log } from '../log/log.ts'
import type { CloudRequest, FunctionDefinition } from './definition/definition.ts'

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
  { connection, onOutcome, onRequest, ...ports }: FunctionPorts,
): EventHandler => {
  const { kind, types, classes, finalizerSuffix, resyncMs, ignoresSecret, classifiers, permissions, health } =
    definition
  const backend: Backend = {
    kind,
    types,
    classes,
    ...(finalizerSuffix !== undefined && { finalizerSuffix }),
    ...(resyncMs !== undefined && { resyncMs }),
    ...(ignoresSecret && { ignoresSecret }),
    ...(classifiers && { classifiers }),
    actuator: definition.create(settings, {
      clock: ports.clock,
      ...(connection !== undefined && { connection }),
      ...(onRequest !== undefined && { onRequest }),
    }),
  }
  // The permissions of the function's ServiceAccount in a cluster.
  const kubernetes = permittedKubernetes(ports.kubernetes, [
    ...lifecyclePermissions(kind, definition),
    ...permissions,
  ])
  const order = createWriteOrder()
  const checked = async (event: ExtensionEvent, signal: AbortSignal): Promise<StepOutcome> => {
    if (health === undefined) return { kind: 'recorded', how: 'nothing-to-do' }
    // Loaded on demand, because most functions have no health checks.
    const { runHealthCheck } = await import('../health/health.ts')
    return order.check(keyOf(event), writer =>
      runHealthCheck({ ...ports, kubernetes, backend, definition: health, writer }, event, signal),
    )
  }
  return async (event, signal) => {
    const outcome =
      event.operation === 'healthcheck'
        ? await checked(event, signal)
        : await order.step(keyOf(event), () => runStep({ ...ports, kubernetes, backend }, event, signal))
    onOutcome?.(outcome, event)
    return outcome
  }
}

const keyOf = ({ namespace = '', name }: ExtensionEvent): string => `${namespace}/${name}`
