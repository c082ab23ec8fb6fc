/** A list or map of an object, or null, which the API server reads as empty. */
type ListOrMap = readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * Returns the object with new content in a field. Omits an empty field, as Go does. Returns the same object if the
 * content is the same.
 */
export const withContent = <T extends object>(
  object: T,
  field: keyof T & string,
  content: ListOrMap | null | undefined,
): T => {
  if (content === object[field]) return object
  if (content !== undefined && content !== null && Object.keys(content).length > 0)
    return { ...object, [field]: content }
  const { [field]: _, ...rest } = object
  return rest as T
}

/** Returns the map without some keys, or the same map if it has none of them. */
export const withoutKeys = <V>(
  map: Readonly<Record<string, V>> | null | undefined,
  keys: readonly string[],
): Readonly<Record<string, V>> | null | undefined =>
  map && keys.some(key => Object.hasOwn(map, key))
    ? Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)))
    : map
