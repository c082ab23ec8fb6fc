import { isDeepStrictEqual } from 'node:util'
import { isRecord, valueAt } from '../../decode/record-of.ts'
import { isAbsent, type JsonObject, withAt } from './json.ts'

const statusImages = ['status', 'cloudProfileSpec', 'providerConfig', 'machineImages'] as const

/**
 * Merges the images of a NamespacedCloudProfile into `status.cloudProfileSpec.providerConfig`, once Gardener has copied
 * the parent's there for this generation. Returns the same object if there is nothing to merge.
 *
 * @param own its own images, in the form of `machineImages`
 */
export const withMergedStatus = (object: JsonObject, own: unknown): JsonObject => {
  const observed = valueAt(object, 'status', 'observedGeneration')
  if (isAbsent(observed) || observed !== valueAt(object, 'metadata', 'generation')) return object
  if (isAbsent(valueAt(object, 'status', 'cloudProfileSpec', 'providerConfig'))) return object
  const merged = mergeImages(valueAt(object, ...statusImages), own)
  return isDeepStrictEqual(merged, valueAt(object, ...statusImages) ?? [])
    ? object
    : withAt(object, statusImages, merged)
}

/**
 * Merges the images of a parent with those of a NamespacedCloudProfile: images by name, versions by version. The
 * namespaced version overrides the parent's. The order of the parent is retained; new items follow.
 */
const mergeImages = (parent: unknown, own: unknown): readonly unknown[] =>
  mergeBy('name', parent, own, (before, after) => {
    if (!isRecord(before) || !isRecord(after)) return after
    const versions = mergeBy(
      'version',
      valueAt(before, 'versions'),
      valueAt(after, 'versions'),
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
  const keyOf = (item: unknown) => valueAt(item, key)
  const known = new Set(before.map(keyOf))
  const newest = new Map(after.map(item => [keyOf(item), item]))
  return [
    ...before.map(item => (newest.has(keyOf(item)) ? merge(item, newest.get(keyOf(item))) : item)),
    ...after.filter(item => !known.has(keyOf(item)) && newest.get(keyOf(item)) === item),
  ]
}
