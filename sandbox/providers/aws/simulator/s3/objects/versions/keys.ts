import type { Bucket, StoredObject } from '../../state.ts'

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Compares keys by their UTF-8 bytes, the order of lists ("Listing object keys", S3 user guide). */
export const compareKeys = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left === right) continue
    // Characters beyond the basic plane sort last in UTF-8, but not in UTF-16.
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1
  }
  return a.length - b.length
}

/** Returns the position of a key among the objects, or its insert position. */
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

/** Returns the object of the key and creates it if it does not exist. The caller must add a version at once. */
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
