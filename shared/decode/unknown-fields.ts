import * as z from 'zod'
import { nearestName } from '../text/nearest-name.ts'
import { formatPath, mostProblems } from './problems.ts'

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
      fields.push({
        path: formatPath([...path, key]),
        nearest: nearestName(key, fieldsAt(schema, path)),
      })
  }
  return { fields, more: count - fields.length }
}

export type UnknownKeys = Extract<z.core.$ZodIssue, { code: 'unrecognized_keys' }>

export const isUnknown = (issue: z.core.$ZodIssue): issue is UnknownKeys => issue.code === 'unrecognized_keys'

/** Returns the fields of the object at a path of a schema; empty if it is not an object. */
const fieldsAt = (schema: unknown, path: readonly PropertyKey[]): readonly string[] => {
  const inner = unwrapped(schema)
  const [segment, ...rest] = path
  if (inner instanceof z.ZodArray) return fieldsAt(inner.element, rest)
  if (!(inner instanceof z.ZodObject)) return []
  return segment === undefined ? Object.keys(inner.shape) : fieldsAt(inner.shape[String(segment)], rest)
}

/** Unwraps optional, nullable and transformed schemas. */
const unwrapped = (schema: unknown): unknown => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrapped(schema.unwrap())
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema
}
