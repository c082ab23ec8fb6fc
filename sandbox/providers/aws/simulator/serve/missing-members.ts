import type { NormalizedSchema } from '@smithy/core/schema'
import { requiredMembers } from '../codec/rest/route.ts'

/** A required member that is missing. */
export interface Violation {
  /**
   * The path from the input to the structure, with list positions counted from 1: `['ChangeBatch', 'Changes', '1']`.
   */
  readonly path: readonly string[]
  readonly member: string
}

/** Returns all required members that the input lacks, at any depth. */
export const missingMembers = (
  schema: NormalizedSchema,
  value: unknown,
  path: readonly string[] = [],
): Violation[] => {
  if (value === undefined || value === null) return []
  if (schema.isStructSchema()) {
    const values = value as Readonly<Record<string, unknown>>
    const missing = requiredMembers(schema)
      .filter(([name]) => values[name] === undefined)
      .map(([member]) => ({ path, member }))
    const nested = [...schema.structIterator()].flatMap(([name, member]) =>
      missingMembers(member, values[name], [...path, name]),
    )
    return [...missing, ...nested]
  }
  if (schema.isListSchema()) {
    return (value as readonly unknown[]).flatMap((item, index) =>
      missingMembers(schema.getValueSchema(), item, [...path, String(index + 1)]),
    )
  }
  if (schema.isMapSchema()) {
    return Object.entries(value).flatMap(([key, item]) =>
      missingMembers(schema.getValueSchema(), item, [...path, key]),
    )
  }
  return []
}
