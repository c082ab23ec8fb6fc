import { isDeeper, isLonger } from '../../contract/json-bounds.ts'
import { mostProblems, type Problem, type ProblemKind, shown } from '../../contract/problems.ts'

/** What an API server calls the kinds of mistakes. */
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

/** Kinds that tell what was found. */
const withValue: ReadonlySet<ProblemKind> = new Set([
  'invalid',
  'unsupported',
  'duplicate',
  'not-found',
  'too-many',
])

export interface ProblemsPlace {
  /** What the paths are within: `spec.provider.workers[0]`. Absent: nothing, they are whole. */
  readonly at?: string
  /** The object that the paths lead through, whose values may be read by everybody. Absent: none may, and each is `(hidden)`. */
  readonly within?: unknown
}

/**
 * Formats problems for an answer (docs/contract/admission.md#answers): path, kind, found value, expected value. After
 * `mostProblems` it adds the number of the others.
 *
 * @example
 * fieldErrors([{ path: 'zones[0]', message: 'expected a zone of the region, found "x"' }], { at: 'spec', within: { zones: ['x'] } })
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
  const value = valueAt(place.within, path)
  return `${head}: ${shownValue(value, kind)}: ${withoutFound(message, value)}`
}

const joined = (at: string, path: string): string => {
  if (at === '' || path === '') return `${at}${path}`
  return path.startsWith('[') ? `${at}${path}` : `${at}.${path}`
}

/** What a path of a problem leads to: `networks.zones[0].name`, `capacity["example.com/gpu"]`. */
const valueAt = (value: unknown, path: string): unknown =>
  [...path.matchAll(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^.[\]]+/g)].reduce<unknown>((inner, [segment]) => {
    const key = segment.startsWith('[') ? String(JSON.parse(segment.slice(1, -1))) : segment
    return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
      ? Reflect.get(inner, key)
      : undefined
  }, value)

/** Levels and characters of a value that an answer repeats; of a larger one it tells what it is. */
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

/** Without what was found where the message says it: it stands before the message. */
const withoutFound = (message: string, value: unknown): string => {
  if (typeof value === 'object' || value === undefined) return message
  return [shown(value), String(value)].reduce((text, found) => {
    const said = `, found ${found}`
    if (found === '' || !text.includes(said)) return text
    // Only as a whole word: not the 6 of 64.
    const [before = '', after = ''] = split(text, said)
    return /^(?![\w.])/.test(after) ? `${before}${after}` : text
  }, message)
}

const split = (text: string, by: string): readonly [string, string] => {
  const at = text.lastIndexOf(by)
  return [text.slice(0, at), text.slice(at + by.length)]
}
