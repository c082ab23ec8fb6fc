import { isRecord } from '../schema/structural-schema.ts'

/**
 * Returns the first value that a CRD's `jsonPath` finds, or undefined. Supports the relaxed dialect of
 * k8s.io/client-go/util/jsonpath that printer columns and selectable fields use: `.spec.type`, `.a\.b/c`, `['key']`,
 * `[0]`, `[*]`, `[?(@.type=="Ready")]`.
 */
export const firstAt = (value: unknown, path: string): unknown => {
  let found: unknown[] = [value]
  for (const step of stepsOf(path)) found = found.flatMap(step)
  return found[0]
}

type PathSegment = (value: unknown) => unknown[]

const stepPattern =
  /\.((?:[^.[\]\\]|\\.)+)|\[\*\]|\[(-?\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[\?\(([^)]*)\)\]/y

const stepsOf = (path: string): readonly PathSegment[] => {
  const text = path.replace(/^\{|\}$/g, '').replace(/^\$/, '')
  const steps: PathSegment[] = []
  stepPattern.lastIndex = 0
  while (stepPattern.lastIndex < text.length) {
    const at = stepPattern.lastIndex
    const match = stepPattern.exec(text)
    if (!match) throw new SyntaxError(`cannot read the JSONPath ${path}: syntax error at column ${at + 1}`)
    const [whole, name, index, single, double, filter] = match
    if (filter !== undefined) steps.push(filterStep(filter, path))
    else if (whole === '[*]' || name === '*') steps.push(everyItem)
    else if (index !== undefined) steps.push(itemStep(Number(index)))
    else steps.push(fieldStep((name ?? single ?? double ?? '').replace(/\\(.)/g, '$1')))
  }
  return steps
}

const everyItem: PathSegment = value =>
  Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []

const itemStep =
  (index: number): PathSegment =>
  value => {
    const item: unknown = Array.isArray(value) ? value.at(index) : undefined
    return item === undefined ? [] : [item]
  }

const fieldStep =
  (name: string): PathSegment =>
  value =>
    isRecord(value) && value[name] !== undefined ? [value[name]] : []

const compare: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => Number(a) > Number(b),
  '>=': (a, b) => Number(a) >= Number(b),
  '<': (a, b) => Number(a) < Number(b),
  '<=': (a, b) => Number(a) <= Number(b),
}

const filterStep = (filter: string, path: string): PathSegment => {
  const match = /^@((?:[^\s=!<>]|[=!](?!=))*)\s*(?:(==|!=|>=|<=|>|<)(.+))?$/s.exec(filter.trim())
  if (!match) throw new SyntaxError(`cannot read the JSONPath ${path}: unsupported filter: ${filter}`)
  const [, left = '', operator, right = ''] = match
  const literal = right.trim()
  const isQuoted = literal.length > 1 && /^['"]/.test(literal) && literal.at(-1) === literal[0]
  const wanted: unknown = isQuoted ? literal.slice(1, -1) : parseLiteral(literal)
  return value => {
    const items: readonly unknown[] = Array.isArray(value) ? value : []
    return items.filter(item => {
      const actual = firstAt(item, left)
      return operator === undefined ? actual !== undefined : (compare[operator]?.(actual, wanted) ?? false)
    })
  }
}

const parseLiteral = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
