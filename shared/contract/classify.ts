import { type ErrorCode, errorCodes } from './constants.ts'
import { CodedError } from './errors.ts'

/** Assigns a code to matching messages. Several classifiers may have the same code. */
export interface Classifier {
  readonly code: ErrorCode
  readonly matches: (message: string) => boolean
}

/** Creates a classifier from an expression, which is tested on the whole message. It must not be global or sticky. */
export const matching = (code: ErrorCode, expression: RegExp): Classifier => ({
  code,
  matches: message => expression.test(message),
})

/**
 * Creates a classifier from two lower case texts that must occur on one line in this order, like `first.*then`. It runs
 * in linear time however often `first` repeats.
 */
export const inOrder = (code: ErrorCode, first: string, then: string): Classifier => ({
  code,
  matches: message =>
    message
      .toLowerCase()
      .split('\n')
      .some(line => {
        const at = line.indexOf(first)
        return at !== -1 && line.includes(then, at + first.length)
      }),
})

/**
 * Gardener's only expression (docs/contract/lifecycle.md#classifiers): `error during apply of object .* is invalid:`.
 */
export const gardenerClassifier: Classifier = inOrder(
  'ERR_CONFIGURATION_PROBLEM',
  'error during apply of object ',
  ' is invalid:',
)

/** Classifiers see only this many characters: a message may come from any source. */
const longestMessage = 16_384

/** Returns the codes of all classifiers that match the first 16,384 characters, sorted, each once. */
export const classify = (message: string, classifiers: readonly Classifier[]): readonly ErrorCode[] => {
  const start = message.slice(0, longestMessage)
  return [...new Set(classifiers.filter(({ matches }) => matches(start)).map(({ code }) => code))].sort()
}

/**
 * Returns the codes of an error, each once: those of the first error with codes in its chain of causes. An
 * `AggregateError` forks the chain: each member is a separate chain (docs/contract/lifecycle.md#codes-of-an-error).
 */
export const codesOf = (error: unknown): readonly ErrorCode[] => [...new Set(collect(error, new Set()))]

/** Accepts any object with a list of codes, so that errors of another bundle count too. */
const carriedCodes = (error: object): readonly ErrorCode[] => {
  if (!('codes' in error) || !Array.isArray(error.codes)) return []
  return error.codes.filter((code): code is ErrorCode => errorCodes.some(known => known === code))
}

const collect = (error: unknown, seen: Set<unknown>): readonly ErrorCode[] => {
  if (typeof error !== 'object' || error === null || seen.has(error)) return []
  seen.add(error)
  const codes = carriedCodes(error)
  if (codes.length > 0) return codes
  if (error instanceof AggregateError) {
    const members = error.errors.flatMap(member => collect(member, seen))
    if (members.length > 0) return members
  }
  return 'cause' in error ? collect(error.cause, seen) : []
}

/**
 * Adds the codes of the message to an error. Returns the error unchanged if it has codes or no classifier matches;
 * otherwise a `CodedError` with the same message and the error as its cause. Actuators call it at their boundary.
 */
export const determineCodes = (error: Error, classifiers: readonly Classifier[]): Error => {
  if (codesOf(error).length > 0) return error
  const codes = classify(error.message, classifiers)
  return codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
}
