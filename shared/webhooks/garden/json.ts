import { isRecord } from '../../decode/record-of.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Returns true if the value is absent or null, which Go treats alike. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

/**
 * Returns a copy of the object with the value at the path replaced. Creates missing objects on the path. The rest is
 * shared with the original.
 */
export const withAt = (value: JsonObject, [name, ...rest]: readonly string[], to: unknown): JsonObject => {
  if (name === undefined) return value
  const inner = Object.hasOwn(value, name) ? value[name] : undefined
  return { ...value, [name]: rest.length === 0 ? to : withAt(isRecord(inner) ? inner : {}, rest, to) }
}
