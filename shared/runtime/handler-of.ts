import type { ExtensionEvent } from '../events/event.ts'
import type { Handle } from './answer-events.ts'
import type { ExtensionFunction, FunctionPorts } from './extension-function.ts'
import type { Metrics } from './metrics.ts'

/** What a host needs to serve a function: the handler, with its outcomes counted, and which events it is for. */
export const handlerOf = (
  fn: ExtensionFunction,
  ports: FunctionPorts,
  metrics: Metrics,
): { readonly handle: Handle; readonly accepts: (event: ExtensionEvent) => boolean } => {
  const steps = metrics.counter(
    'trellis_function_steps_total',
    'Steps, by kind, operation and how they ended.',
    ['kind', 'operation', 'outcome'],
  )
  const handle = fn.serve({
    ...ports,
    onOutcome: (outcome, event) => {
      const how = outcome.kind === 'recorded' ? outcome.how : outcome.kind
      steps({ kind: fn.kind, operation: event.operation, outcome: how })
      ports.onOutcome?.(outcome, event)
    },
  })
  return { handle, accepts: event => event.kind === fn.kind && event.provider === fn.type }
}
