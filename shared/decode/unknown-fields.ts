import * as z from 'zod'
import { nearestName } from '../text/nearest-name.ts'
import { formatPath, mostProblems, shown } from './problems.ts'

export interface UnknownField {
  /** `networks.zones[0].worker` */
  readonly path: string
  /** The known field of the same object with the nearest name. */
  readonly nearest: string | undefined
}

export interface UnknownFields {
  /** The first unknown fields, at most `mostProblems`, because each search for the nearest name takes time. */
  readonly fields: readonly UnknownField[]
  readonly more: number
}

/** Returns the fields that a strict schema refused, in the order of its issues. */
export const unknownFields = (schema: unknown, issues: readonly z.core.$ZodIssue[]): UnknownFields => {
  const fields: UnknownField[] = []
  let count = 0
  for (const { path, keys } of issues.filter(isUnknown)) {
    count += keys.length
    for (const key of keys.slice(0, mostProblems - fields.length))
      fields.push({ path: formatPath([...path, key]), nearest: nearestName(key, fieldsAt(schema, path)) })
  }
  return { fields, more: count - fields.length }
}

/** Returns the issues in the words of the schema. An unknown field has the nearest known name of its object. */
export const issueTexts = (schema: unknown, issues: readonly z.core.$ZodIssue[]): readonly string[] =>
  issues.map(issue => {
    const { path } = issue
    const message = isUnknown(issue)
      ? issue.keys
          .map(key => `unknown field ${shown(key)}${hint(nearestName(key, fieldsAt(schema, path)))}`)
          .join('; ')
      : issue.message
    return path.length === 0 ? message : `${formatPath(path)}: ${message}`
  })

const hint = (near: string | undefined): string => (near === undefined ? '' : `: did you mean ${near}?`)

export type UnknownKeys = Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>

export const isUnknown = (issue: z.core.$ZodIssue): issue is UnknownKeys => issue.code === 'unrecognized_keys'

/** Returns the fields of the object at a path of a schema; empty if it is not an object. */
const fieldsAt = (schema: unknown, path: readonly PropertyKey[]): readonly string[] => {
  const inner = unwrapped(schema)
  const [segment, ...rest] = path
  if (inner instanceof z.ZodArray) return fieldsAt(inner.element, rest)
  if (inner instanceof z.ZodRecord)
    return segment === undefined ? namesOf(inner.keyType) : fieldsAt(inner.valueType, rest)
  if (!(inner instanceof z.ZodObject)) return []
  return segment === undefined ? Object.keys(inner.shape) : fieldsAt(inner.shape[String(segment)], rest)
}

const namesOf = (schema: unknown): readonly string[] =>
  schema instanceof z.ZodEnum ? schema.options.map(String) : []

/** Unwraps optional, nullable and transformed schemas, and those with a default. */
const unwrapped = (schema: unknown): unknown => {
  if (!(schema instanceof z.ZodType)) return schema
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in)
  return 'innerType' in schema.def ? unwrapped(schema.def.innerType) : schema
}
