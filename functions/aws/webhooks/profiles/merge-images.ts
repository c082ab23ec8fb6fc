import { at, isJsonObject } from '../garden/json.ts'

/**
 * Merges the images of a parent with those of a NamespacedCloudProfile: images by name, versions by version. The
 * namespaced version overrides the parent's. The order of the parent is retained; new items follow.
 */
export const mergeImages = (parent: unknown, own: unknown): readonly unknown[] =>
  mergeBy('name', parent, own, (before, after) => {
    if (!isJsonObject(before) || !isJsonObject(after)) return after
    const versions = mergeBy(
      'version',
      at(before, 'versions'),
      at(after, 'versions'),
      (_, version) => version,
    )
    return { ...before, ...after, versions }
  })

const mergeBy = (
  key: string,
  parent: unknown,
  own: unknown,
  merge: (before: unknown, after: unknown) => unknown,
): readonly unknown[] => {
  const before: readonly unknown[] = Array.isArray(parent) ? parent : []
  const after: readonly unknown[] = Array.isArray(own) ? own : []
  const keyOf = (item: unknown) => at(item, key)
  const known = new Set(before.map(keyOf))
  const newest = new Map(after.map(item => [keyOf(item), item]))
  return [
    ...before.map(item => (newest.has(keyOf(item)) ? merge(item, newest.get(keyOf(item))) : item)),
    ...after.filter(item => !known.has(keyOf(item)) && newest.get(keyOf(item)) === item),
  ]
}
