import { isDeeper, isLonger } from '../../decode/json-bounds.ts'
import { mostProblems, type Problem, type ProblemKind, shown } from '../../decode/problems.ts'
import { valueAt } from '../../decode/record-of.ts'

/** The API server's names for kinds of mistakes. */
const titles: Readonly<Record<ProblemKind, string>> = {
  required: 'Required value',
  invalid: 'Invalid value',
  unsupported: 'Unsupported value',
  duplicate: 'Duplicate value',
  forbidden: 'Forbidden',
  'not-found': 'Not found',
  'too-many': 'Too many',
  internal: 'Internal error',
}

/** Kinds that show the found value. */
const withValue: ReadonlySet<ProblemKind> = new Set([
  'invalid',
  'unsupported',
  'duplicate',
  'not-found',
  'too-many',
])

export interface ProblemsPlace {
  /** Prefix of the paths: `spec.provider.workers[0]`. Absent: the paths are complete. */
  readonly at?: string
  /** The object of the paths, with values that everyone may read. Absent: each value is `(hidden)`. */
  readonly within?: unknown
}

/**
 * Formats problems for an answer (docs/contract/admission.md#answers): path, kind, found value, expected value. After
 * `mostProblems` it adds the number of the others.
 *
 * @example
 * fieldErrors([{ path: 'zones[0]', message: 'expected a zone of the region, found "x"' }], { at: 'spec', within: {
 * zones: ['x'] } })
 * // ['spec.zones[0]: Invalid value: "x": expected a zone of the region']
 */
export const fieldErrors = (problems: readonly Problem[], place: ProblemsPlace = {}): readonly string[] => [
  ...problems.slice(0, mostProblems).map(problem => fieldError(problem, place)),
  ...(problems.length > mostProblems ? [`and ${problems.length - mostProblems} more`] : []),
]

const fieldError = ({ path, message, kind = 'invalid' }: Problem, place: ProblemsPlace): string => {
  const whole = joined(place.at ?? '', path)
  const title = titles[kind]
  const head = whole === '' ? title : `${whole}: ${title}`
  if (!withValue.has(kind)) return `${head}: ${message}`
  if (!('within' in place)) return `${head}: "(hidden)": ${message}`
  const value = valueAtPath(place.within, path)
  return `${head}: ${shownValue(value, kind)}: ${withoutFound(message, value)}`
}

const joined = (at: string, path: string): string => {
  if (at === '' || path === '') return `${at}${path}`
  return path.startsWith('[') ? `${at}${path}` : `${at}.${path}`
}

/** Returns the value at the path of a problem: `networks.zones[0].name`, `capacity["example.com/gpu"]`. */
const valueAtPath = (value: unknown, path: string): unknown =>
  valueAt(
    value,
    ...Array.from(path.matchAll(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^.[\]]+/g), ([segment]) =>
      segment.startsWith('[') ? String(JSON.parse(segment.slice(1, -1))) : segment,
    ),
  )

/** An answer repeats values up to these levels and characters. Larger values are shown by their type. */
const mostLevels = 4
const mostCharacters = 200

const shownValue = (value: unknown, kind: ProblemKind): string => {
  if (value === undefined) return 'null'
  if (Array.isArray(value) && kind === 'too-many') return String(value.length)
  if (typeof value !== 'object' || value === null) return shown(value)
  if (isDeeper(value, mostLevels) || isLonger(value, mostCharacters))
    return Array.isArray(value) ? '[…]' : '{…}'
  return shown(value)
}

/** Removes the found value from the message; it is printed before the message. */
const withoutFound = (message: string, value: unknown): string => {
  if (typeof value === 'object' || value === undefined) return message
  return [shown(value), String(value)].reduce((text, found) => {
    const said = `, found ${found}`
    if (found === '' || !text.includes(said)) return text
    // Only whole words: not the 6 in 64.
    const [before = '', after = ''] = split(text, said)
    return /^(?![\w.])/.test(after) ? `${before}${after}` : text
  }, message)
}

const split = (text: string, by: string): readonly [string, string] => {
  const at = text.lastIndexOf(by)
  return [text.slice(0, at), text.slice(at + by.length)]
}
