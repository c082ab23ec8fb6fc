import type { Pluggable } from '@smithy/types'
import { isThrottled } from '../errors/is-throttled.ts'

/** Outputs and errors of calls with an attempt that got no answer of AWS. */
const outcomes = new WeakSet<object>()

/**
 * Returns true if the SDK repeated a call because an attempt got no answer. Such an attempt may have taken effect, too.
 *
 * @param outcome the output of a command, or its error
 */
export const wasRepeated = (outcome: object): boolean => outcomes.has(outcome)

/** Notes which calls had an attempt without an answer of AWS: see `wasRepeated`. Throttled attempts are answered. */
export const noteUnanswered = <Input extends object, Output extends object>(): Pluggable<Input, Output> => ({
  applyToStack: stack => {
    // All attempts of a call share its context.
    const calls = new WeakMap<object, unknown>()
    stack.add(
      (next, context) => async args => {
        try {
          const result = await next(args)
          if (calls.has(context)) outcomes.add(result.output)
          return result
        } catch (error) {
          // The last attempt of a call is not a repeated one.
          if (isObject(error) && calls.has(context) && calls.get(context) !== error) outcomes.add(error)
          throw error
        }
      },
      { step: 'initialize', name: 'trellisNoteRepeated', override: true },
    )
    stack.add(
      (next, context) => async args => {
        try {
          return await next(args)
        } catch (error) {
          if (!calls.has(context) && !isAnswered(error)) calls.set(context, error)
          throw error
        }
      },
      { step: 'finalizeRequest', priority: 'low', name: 'trellisNoteUnanswered', override: true },
    )
  },
})

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns true if AWS answered that it did nothing. */
const isAnswered = (error: unknown): boolean => {
  if (!isObject(error) || !('$metadata' in error) || !isObject(error.$metadata)) return false
  const { httpStatusCode: status } = error.$metadata as { readonly httpStatusCode?: unknown }
  if (typeof status !== 'number') return false
  return status < 500 || isThrottled('name' in error ? String(error.name) : '', status)
}
