/** A list or map of an object, as it is, or null, which the API server reads as none. */
type ListOrMap = readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * The object with other content in a field. What has become empty is left out, as Go does; the very same object where the
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

/** The map without some keys; the very same map where it has none of them. */
export const withoutKeys = <V>(
  map: Readonly<Record<string, V>> | null | undefined,
  keys: readonly string[],
): Readonly<Record<string, V>> | null | undefined =>
  map && keys.some(key => Object.hasOwn(map, key))
    ? Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)))
    : map
