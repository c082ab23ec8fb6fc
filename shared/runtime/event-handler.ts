import type { Clock } from '../clock/clock.ts'
import type { ExtensionEvent } from '../events/events.ts'
import type { Kubernetes } from '../kubernetes/kubernetes.ts'
import { permittedKubernetes } from '../kubernetes/kubernetes.ts'
import type { Backend, StepLimits, StepOutcome } from '../lifecycle/lifecycle.ts'
import { createWriteOrder, lifecyclePermissions, runStep } from '../lifecycle/lifecycle.ts'
import type { Log } from '../log/log.ts'
import type { CloudRequest, FunctionDefinition } from './definition/definition.ts'

/** What a process gives to its function. */
export interface FunctionPorts {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  /** How the cloud is reached; absent: as the function does it by itself. Its type is the provider's business. */
  readonly connection?: unknown
  readonly limits?: StepLimits
  /** Called with every request to the cloud: for metrics. */
  readonly onRequest?: (request: CloudRequest) => void
  /** Called with every outcome: for metrics. */
  readonly onOutcome?: (outcome: StepOutcome, event: ExtensionEvent) => void
}

/** Handles one event: as one step, or as one health check. Never throws. The signal aborts when the process must end at once. */
export type EventHandler = (event: ExtensionEvent, signal: AbortSignal) => Promise<StepOutcome>

/** Makes the handler of one process, with settings that the definition's `settings` have parsed. */
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
  // What the ServiceAccount of the function has in a cluster.
  const kubernetes = permittedKubernetes(ports.kubernetes, [
    ...lifecyclePermissions(kind, definition),
    ...permissions,
  ])
  const order = createWriteOrder()
  const checked = async (event: ExtensionEvent, signal: AbortSignal): Promise<StepOutcome> => {
    if (health === undefined) return { kind: 'recorded', how: 'nothing-to-do' }
    // Most functions have none.
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
