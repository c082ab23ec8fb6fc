import { CodedError } from '../contract/errors.ts'
import { messageOf } from '../contract/message-of.ts'

/** Something that the user has to change in the spec. */
export const configurationProblem = (message: string): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })

/** The same error, saying what was being done; its codes are those of its cause. */
export const whileDoing = (what: string, cause: unknown): Error =>
  new Error(`${what}: ${messageOf(cause)}`, { cause })

/** Several errors as one, with each message once and the codes of all. */
export const together = (errors: readonly Error[]): Error => {
  const [only] = errors
  if (only !== undefined && errors.length === 1) return only
  return new AggregateError(errors, [...new Set(errors.map(({ message }) => message))].join('; '))
}
