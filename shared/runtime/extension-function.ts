import type { Clock } from '../clock/clock.ts'
import type { ExtensionEvent } from '../events/event.ts'
import type { Kubernetes, KubernetesObject } from '../kubernetes/port.ts'
import type { Actuator } from '../lifecycle/actuator.ts'
import type { Backend, StepLimits, StepOutcome } from '../lifecycle/backend.ts'
import { runStep } from '../lifecycle/step/run-step.ts'
import type { Log } from '../log/log.ts'

/** A function: the backend of one kind and type, ready to be given its ports. */
export interface ExtensionFunction {
  readonly kind: Backend['kind']
  readonly type: string
  /** Makes the handler of one process. */
  readonly serve: (ports: FunctionPorts) => EventHandler
}

/** What a process gives to its function. */
export interface FunctionPorts {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly log: Log
  readonly limits?: StepLimits
  /** Called with every outcome: for metrics. */
  readonly onOutcome?: (outcome: StepOutcome, event: ExtensionEvent) => void
}

/** Handles one event as one step. Never throws. The signal aborts when the process must end at once. */
export type EventHandler = (event: ExtensionEvent, signal: AbortSignal) => Promise<StepOutcome>

/** The backend and its actuator in one: what an extension author writes. */
export type ExtensionDefinition<O extends KubernetesObject> = Omit<Backend<O>, 'actuator'> & Actuator<O>

/**
 * Declares a function: which kind and type it is for, and what to do in the cloud. Everything else (annotations,
 * finalizers, status, retries) is the lifecycle's.
 *
 * @example
 * export const dnsRecord = extensionFunction<DNSRecord>({
 *   kind: 'DNSRecord',
 *   type: 'aws-route53',
 *   reconcile: async ({ object, secret, signal }) => {
 *     const zone = await upsert(object, secret, signal)
 *     return done({ zone })
 *   },
 *   remove: async ({ object, secret, signal }) => {
 *     await remove(object, secret, signal)
 *     return done()
 *   },
 * })
 */
export const extensionFunction = <O extends KubernetesObject>(
  definition: ExtensionDefinition<O>,
): ExtensionFunction => {
  const { kind, type } = definition
  // The lifecycle parses each object with the schema of the kind before it hands it to the actuator.
  const backend: Backend = { ...definition, actuator: definition as unknown as Actuator }
  return {
    kind,
    type,
    serve:
      ({ onOutcome, ...ports }) =>
      async (event, signal) => {
        const outcome = await runStep({ ...ports, backend }, event, signal)
        onOutcome?.(outcome, event)
        return outcome
      },
  }
}
