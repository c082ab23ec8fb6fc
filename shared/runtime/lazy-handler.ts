import type { Handle, ServedFunction } from './answer-events.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { defaultConcurrency } from './definition/function-service.ts'

/**
 * A function of a process that has others: its handler is made at its first event, and again at the next one where that
 * fails, so one that cannot be made keeps the others from nothing. It takes as many events at the same time as a process of
 * its own would get.
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
