import { isRecord } from '../../../shared/decode/record-of.ts'
/**
 * Returns an object as lines that look like YAML, with sorted fields, so that equal objects have equal lines. Fields
 * that change at every write are left out. The lines are for readers and not for programs: texts are not quoted.
 */
export const objectLines = (object: unknown): readonly string[] => {
  if (object === undefined) return []
  const lines: string[] = []
  write(withoutNoise(object), '', lines)
  return lines
}

const withoutNoise = (object: unknown): unknown => {
  if (!isRecord(object) || !isRecord(object.metadata)) return object
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata
  return { ...object, metadata }
}

const write = (value: unknown, indent: string, lines: string[]): void => {
  if (Array.isArray(value)) for (const item of value) writeItem(item, indent, lines)
  else if (isRecord(value))
    for (const name of Object.keys(value).sort()) writeField(name, value[name], indent, lines)
}

const writeField = (name: string, value: unknown, indent: string, lines: string[]): void => {
  if (isBranch(value)) {
    lines.push(`${indent}${name}:`)
    write(value, `${indent}  `, lines)
  } else lines.push(`${indent}${name}: ${scalar(value, `${indent}  `)}`)
}

const writeItem = (item: unknown, indent: string, lines: string[]): void => {
  if (!isBranch(item)) {
    lines.push(`${indent}- ${scalar(item, `${indent}  `)}`)
    return
  }
  const inner: string[] = []
  write(item, `${indent}  `, inner)
  const [first = '', ...rest] = inner
  lines.push(`${indent}- ${first.slice(indent.length + 2)}`, ...rest)
}

const scalar = (value: unknown, indent: string): string => {
  if (Array.isArray(value)) return '[]'
  if (isRecord(value)) return '{}'
  const text = parsedJson(value)
  return text === undefined ? String(value).replaceAll('\n', `\n${indent}`) : `(JSON) ${text}`
}

/** The step annotation and states are JSON in a text. */
const parsedJson = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !/^[{[]/.test(value)) return undefined
  try {
    const lines = JSON.stringify(JSON.parse(value), null, 1).split('\n')
    return lines.map(line => line.trim()).join(' ')
  } catch {
    return undefined
  }
}

const isBranch = (value: unknown): boolean =>
  (Array.isArray(value) && value.length > 0) || (isRecord(value) && Object.keys(value).length > 0)
