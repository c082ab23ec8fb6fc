import { isRecord } from '../decode/record-of.ts'
/** A JSON object or a part of one. */
export type JsonFields = Readonly<Record<string, unknown>>

/** JSON merge patch (RFC 7386): null removes a field, objects are merged, any other value replaces. */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isRecord(patch)) return patch
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    // An assignment would change the prototype.
    if (name === '__proto__') continue
    if (value === null) delete result[name]
    else result[name] = mergePatch(result[name], value)
  }
  return result
}

/**
 * Returns the merge patch that turns `present` into exactly `desired`, or undefined if they are equal. Removes
 * everything that is not in `desired`. Null equals absent, because a merge patch cannot distinguish them.
 *
 * @example replacement({ a: 1, b: [1] }, { b: [2], c: {} }) // { a: null, b: [2], c: {} }
 */
export const replacement = (present: unknown, desired: unknown): unknown => {
  if (present === desired) return undefined
  if (desired === undefined || desired === null) return present === undefined ? undefined : null
  if (!isRecord(desired) || !isRecord(present)) return isSame(present, desired) ? undefined : desired
  const patch: Record<string, unknown> = {}
  let isEmpty = true
  const differ = (key: string, value: unknown) => {
    if (value === undefined) return
    patch[key] = value
    isEmpty = false
  }
  for (const key in present) {
    if (!Object.hasOwn(desired, key) && present[key] !== null)
      differ(key, replacement(present[key], undefined))
  }
  for (const key in desired) {
    differ(key, replacement(present[key] ?? undefined, desired[key]))
  }
  return isEmpty ? undefined : patch
}

/**
 * Like `replacement`, but only for the named keys; others are not changed. Undefined in `desired`: the key is removed.
 */
export const keyReplacement = (
  present: JsonFields | undefined,
  desired: JsonFields,
): JsonFields | undefined => {
  const changed = Object.entries(desired).flatMap(([key, value]) => {
    const change = replacement(present?.[key] ?? undefined, value)
    return change === undefined ? [] : [[key, change] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  return isRecord(a) && isRecord(b) && replacement(a, b) === undefined
}
