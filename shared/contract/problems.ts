import type * as z from 'zod'

/**
 * What kind of mistake something is, as API servers tell it (docs/contract/admission.md#answers). `required`: it has to be
 * there; `forbidden`: it must not be there, or not so; `unsupported`: it is none of a list.
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

/** One thing that is wrong with a value. */
export interface Problem {
  /** `spec.values[0]`, `metadata.labels["gardener.cloud/role"]`; empty for the value as a whole. */
  readonly path: string
  /** `expected a string, found a number` */
  readonly message: string
  /** Absent: `invalid`. */
  readonly kind?: ProblemKind
}

/**
 * The most problems that one search returns. The user fixes these first and tries again. An object of 3 MB may have 300,000
 * problems, and the process answers no other request during the search.
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

/** The problems as one line for people: `spec.name: expected a string, found nothing; spec.ttl: …`. */
export const formatProblems = (problems: readonly Problem[]): string =>
  problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')

/**
 * Returns each issue in the form of the contract: field, expected value, found value. Returns at most `mostProblems`, and one
 * with the number of the others.
 */
export const problemsOf = (issues: readonly z.core.$ZodIssue[], value: unknown): readonly Problem[] => [
  ...issues.slice(0, mostProblems).map(issue => ({
    path: formatPath(issue.path),
    message: `expected ${expected(issue)}, found ${found(issue, at(value, issue.path))}`,
  })),
  ...(issues.length > mostProblems
    ? [{ path: '', message: `and ${issues.length - mostProblems} more` }]
    : []),
]

/** Path segments as people and `kubectl` write them. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, segment) => {
    if (typeof segment === 'number') return `${text}[${segment}]`
    const name = String(segment)
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === '' ? name : `${text}.${name}`
  }, '')

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, segment) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, segment)
        ? Reflect.get(inner, segment)
        : undefined,
    value,
  )

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  // No field of the contract is a number with a fraction.
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

/** A message of a schema that already says what is expected is kept. */
const ownWords = /^expected /

const expected = (issue: z.core.$ZodIssue): string => {
  if (ownWords.test(issue.message)) return issue.message.replace(ownWords, '')
  switch (issue.code) {
    case 'invalid_type':
      return nouns[issue.expected] ?? `a value of type ${issue.expected}`
    case 'invalid_value':
      return `${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(shown).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? `text of the form ${issue.pattern ?? issue.format}`
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

/**
 * The kind of value, never the value itself (it may be a secret in the wrong place), except for short words where a
 * word of a list was expected: there it is what the reader needs.
 */
const found = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      if (value === '') return 'an empty string'
      return issue.code === 'invalid_value' && value.length <= 40 ? shown(value) : 'a string'
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
export const shownNames = (names: readonly string[]): string => {
  const text = names.toSorted().join(', ')
  return text.length <= 1_000 ? text : `${text.slice(0, 999)}…`
}

/** A value of a spec as JSON, cut so that a status stays readable. Never for values of Secrets. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}
