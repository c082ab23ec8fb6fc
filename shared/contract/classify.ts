import { type ErrorCode, errorCodes } from './constants.ts'
import { CodedError } from './errors.ts'

/** Says which messages get a code. Several classifiers may have the same code. */
export interface Classifier {
  readonly code: ErrorCode
  readonly matches: (message: string) => boolean
}

/** A classifier of an expression; it is tried on the whole message. The expression must not be global or sticky. */
export const matching = (code: ErrorCode, expression: RegExp): Classifier => ({
  code,
  matches: message => expression.test(message),
})

/**
 * A classifier of two texts, in lower case, of which one line holds both in this order: `first.*then`, read once
 * however often `first` is repeated.
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
 * The one expression of Gardener itself (docs/contract/lifecycle.md#classifiers): `error during apply of object .* is
 * invalid:`.
 */
export const gardenerClassifier: Classifier = inOrder(
  'ERR_CONFIGURATION_PROBLEM',
  'error during apply of object ',
  ' is invalid:',
)

/** Most of a message that is looked at, in characters: it may be anybody's. */
const longestMessage = 16_384

/** The codes whose classifier matches the first 16,384 characters, sorted, each once. */
export const classify = (message: string, classifiers: readonly Classifier[]): readonly ErrorCode[] => {
  const start = message.slice(0, longestMessage)
  return [...new Set(classifiers.filter(({ matches }) => matches(start)).map(({ code }) => code))].sort()
}

/**
 * The codes that an error carries, each once: those of the first code-carrying error of its chain of causes. An
 * `AggregateError` in the chain forks it: each member is a chain of its own
 * (docs/contract/lifecycle.md#codes-of-an-error).
 */
export const codesOf = (error: unknown): readonly ErrorCode[] => [...new Set(collect(error, new Set()))]

/** What an error may be to carry codes: anything with a list of them, so that errors of another bundle count too. */
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
 * The error with the codes that its message earns: unchanged when it carries codes already or when no classifier
 * matches, else a `CodedError` with the same message and the error as its cause. An actuator's boundary calls it.
 */
export const determineCodes = (error: Error, classifiers: readonly Classifier[]): Error => {
  if (codesOf(error).length > 0) return error
  const codes = classify(error.message, classifiers)
  return codes.length === 0 ? error : new CodedError(error.message, { codes, cause: error })
}
