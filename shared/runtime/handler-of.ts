import type { ExtensionEvent } from '../events/events.ts'
import type { Handle } from './answer-events.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { eventHandler, type FunctionPorts } from './event-handler.ts'
import type { Metrics } from './metrics.ts'

/** What a host needs to serve a function: its name, the handler, with its outcomes counted, and which events it is for. */
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
  const steps = metrics.counter(
    'trellis_function_steps_total',
    'Steps, by kind, operation and how they ended.',
    ['kind', 'operation', 'outcome', 'function'],
  )
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
