import type { Bucket, StoredObject } from '../../state.ts'

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** The order of lists: that of the keys' UTF-8 bytes ("Listing object keys", S3 user guide). */
export const compareKeys = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left === right) continue
    // Characters beyond the basic plane come after all others in UTF-8, but not in UTF-16.
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1
  }
  return a.length - b.length
}

/** Where a key is among the objects, or would have to be. */
const placeOf = (objects: readonly StoredObject[], key: string): number => {
  let [low, high] = [0, objects.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = objects[middle]
    if (found && compareKeys(found.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

export const findObject = ({ objects }: Bucket, key: string): StoredObject | undefined => {
  const found = objects[placeOf(objects, key)]
  return found?.key === key ? found : undefined
}

/** The object of the key, made if it is not there; its versions must be filled at once. */
export const ensureObject = (bucket: Bucket, key: string): StoredObject => {
  const place = placeOf(bucket.objects, key)
  const found = bucket.objects[place]
  if (found?.key === key) return found
  const fresh: StoredObject = { key, versions: [] }
  bucket.objects.splice(place, 0, fresh)
  return fresh
}

export const removeObject = (bucket: Bucket, key: string): void => {
  const place = placeOf(bucket.objects, key)
  if (bucket.objects[place]?.key === key) bucket.objects.splice(place, 1)
}
