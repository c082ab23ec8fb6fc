/** Returns true if an external value is an object and not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the fields of an external value, or none. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

/** Returns the items of an external list, each with its fields or none. Another value has no items. */
export const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(recordOf) : []

/**
 * Returns the value at a path of own fields and indexes of an external value, or undefined if the path does not exist.
 *
 * @example
 * const replicas = valueAt(deployment.spec, 'replicas')
 */
export const valueAt = (value: unknown, ...path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  )

/** Returns the value of a text in JSON, or undefined for any other text. The parser's own error quotes the text. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns an external value if it is a string, otherwise ''. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
