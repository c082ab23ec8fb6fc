import type { Handle, ServedFunction } from './answer-events.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { defaultConcurrency } from './definition/function-service.ts'

/**
 * A function in a process with others. Its handler is created at the first event, and retried at the next event if that
 * fails, so a broken function does not affect the others. Its concurrency is the same as in a process of its own.
 */
export const lazyHandler = (
  { name, kind, types, service }: FunctionDefinition,
  make: () => Handle,
): Omit<ServedFunction, 'log'> => {
  let made: Handle | undefined
  return {
    name,
    handle: async (event, signal) => {
      made ??= make()
      return made(event, signal)
    },
    accepts: event => event.kind === kind && types.includes(event.provider),
    maxConcurrency: service.concurrency?.value ?? defaultConcurrency,
  }
}
