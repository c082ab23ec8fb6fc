import type { ExtensionEvent } from '../events/events.ts'
import type { Handle } from './answer-events.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { eventHandler, type FunctionPorts } from './event-handler.ts'
import type { Metrics } from './metrics.ts'
import { stepMetrics } from './reports/function-metrics.ts'

/**
 * Returns the parts that a host needs to serve a function: its name, its accepted events, and a handler that counts
 * outcomes.
 */
export const handlerOf = (
  definition: FunctionDefinition,
  settings: Readonly<Record<string, unknown>>,
  ports: FunctionPorts,
  metrics: Metrics,
): {
  readonly name: string
  readonly handle: Handle
  readonly accepts: (event: ExtensionEvent) => boolean
} => {
  const { name, kind, types } = definition
  const steps = stepMetrics(metrics)
  const handle = eventHandler(definition, settings, {
    ...ports,
    onOutcome: (outcome, event) => {
      const how = outcome.kind === 'recorded' ? outcome.how : outcome.kind
      steps({ kind, operation: event.operation, outcome: how, function: name })
      ports.onOutcome?.(outcome, event)
    },
  })
  return { name, handle, accepts: event => event.kind === kind && types.includes(event.provider) }
}
