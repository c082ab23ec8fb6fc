export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Not there, for Go: absent or null. */
export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

/** What stands at a path of fields of objects; undefined where the path ends before. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    value,
  )

/** The object with another value at a path; objects are made where there are none. What is beside the path is shared. */
export const withAt = (value: JsonObject, [name, ...rest]: readonly string[], to: unknown): JsonObject => {
  if (name === undefined) return value
  const inner = Object.hasOwn(value, name) ? value[name] : undefined
  return { ...value, [name]: rest.length === 0 ? to : withAt(isJsonObject(inner) ? inner : {}, rest, to) }
}
