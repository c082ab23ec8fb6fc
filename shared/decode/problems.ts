import type * as z from 'zod'
import { cutText } from '../text/cut-text.ts'
import { valueAt } from './record-of.ts'

/**
 * The kind of a mistake, as API servers report it (docs/contract/admission.md#answers). `required`: missing;
 * `forbidden`: not allowed here or in this form; `unsupported`: not in a list of values.
 */
export type ProblemKind =
  | 'required'
  | 'invalid'
  | 'unsupported'
  | 'duplicate'
  | 'forbidden'
  | 'not-found'
  | 'too-many'
  | 'internal'

/** A mistake in a value: where, and what is expected. */
export interface Problem {
  /** `spec.values[0]`, `metadata.labels["gardener.cloud/role"]`; empty for the whole value. */
  readonly path: string
  /** For example `expected a string, found a number`. */
  readonly message: string
  /** Default: `invalid`. */
  readonly kind?: ProblemKind
}

/**
 * Maximum problems of one search; the user fixes these first and tries again. An object of 3 MB may have 300,000, and
 * the process answers no other request during the search.
 */
export const mostProblems = 20

/** Collects the problems of all items of a user's list. Stops after `mostProblems`. */
export const problemsInEach = <T, P = Problem>(
  items: readonly T[],
  judge: (item: T, index: number) => readonly P[],
): readonly P[] => {
  const problems: P[] = []
  for (const [index, item] of items.entries()) {
    for (const problem of judge(item, index)) problems.push(problem)
    if (problems.length >= mostProblems) break
  }
  return problems
}

/**
 * Formats the problems as one line: `spec.name: expected a string, found nothing; spec.ttl: …`.
 *
 * @example
 * const text = formatProblems([{ path: 'spec.zone', message: 'expected a text that is not empty, found nothing' }])
 */
export const formatProblems = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')

/**
 * Returns each issue in the form of the contract: field, expected value, found value. After `mostProblems`, adds one
 * problem with the number of the others.
 */
export const problemsOf = (issues: readonly z.core.$ZodIssue[], value: unknown): readonly Problem[] => [
  ...issues.slice(0, mostProblems).map(issue => ({
    path: formatPath(issue.path),
    message: `expected ${expected(issue)}, found ${found(issue, valueAt(value, ...issue.path))}`,
  })),
  ...(issues.length > mostProblems
    ? [{ path: '', message: `and ${issues.length - mostProblems} more` }]
    : []),
]

/** Formats path segments as `kubectl` does. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, segment) => {
    if (typeof segment === 'number') return `${text}[${segment}]`
    const name = String(segment)
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, '')

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  // The contract has no fractional numbers.
  number: 'an integer',
  int: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-11-21T02:58:25Z',
  base64: 'base64 text',
}

/** Messages of a schema that already name the expected value are unchanged. */
const ownWords = /^expected /

const expected = (issue: z.core.$ZodIssue): string => {
  if (ownWords.test(issue.message)) return issue.message.replace(ownWords, '')
  switch (issue.code) {
    case 'invalid_type':
      return nouns[issue.expected] ?? `a value of type ${issue.expected}`
    case 'invalid_value':
      return `${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(shown).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? `text in the form ${issue.pattern ?? issue.format}`
    case 'too_small':
      return issue.origin === 'string' ? 'a text that is not empty' : `at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string' ? `at most ${issue.maximum} characters` : `at most ${issue.maximum}`
    case 'invalid_union':
      return [...new Set(issue.errors.flatMap(branch => branch.slice(0, 1).map(expected)))].join(' or ')
    default:
      return 'something else'
  }
}

/** The version and the kind of an object are no secrets, and the reader needs them to see which one is wrong. */
const isTypeName = (path: readonly PropertyKey[], value: string): boolean =>
  (path.at(-1) === 'apiVersion' || path.at(-1) === 'kind') && /^[A-Za-z0-9./-]{1,253}$/.test(value)

/**
 * Names the type of the value, never the value itself, which may be a misplaced secret. Exception: short words, if one
 * word of a list was expected, because the reader needs them.
 */
const found = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      if (value === '') return 'an empty string'
      return (issue.code === 'invalid_value' && value.length <= 40) || isTypeName(issue.path, value)
        ? shown(value)
        : 'a string'
    case 'number':
      if (issue.code === 'too_small' || issue.code === 'too_big') return String(value)
      return Number.isInteger(value) ? 'a number' : 'a number with a fraction'
    case 'boolean':
      return 'a boolean'
    default:
      return 'an object'
  }
}

/** A user's names, sorted and joined with commas. The text is cut, because each problem may repeat it. */
export const shownNames = (names: readonly string[]): string => cutText(names.toSorted().join(', '), 1_000)

/**
 * Formats a value of a spec as JSON, cut so that a status remains readable. Never use it for values of Secrets.
 *
 * @example
 * throw configurationProblem(`the zone ${shown(object.spec.region)} does not exist`)
 */
export const shown = (value: unknown): string => cutText(JSON.stringify(value) ?? String(value), 80)
