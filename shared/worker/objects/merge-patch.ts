/** An object of JSON, or a part of one. */
export type JsonFields = Readonly<Record<string, unknown>>

/**
 * The merge patch that turns what is there into what shall be; undefined: they are the same. What shall be is all that
 * there is afterwards: what else is there goes. Null and absent are the same, since no merge patch can tell them apart.
 *
 * @example
 * replacement({ a: 1, b: [1] }, { b: [2], c: {} }) // { a: null, b: [2], c: {} }
 */
export const replacement = (present: unknown, desired: unknown): unknown => {
  if (present === desired) return undefined
  if (desired === undefined || desired === null) return present === undefined ? undefined : null
  if (!isFields(desired) || !isFields(present)) {
    return isSame(present, desired) ? undefined : desired
  }
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
 * As `replacement`, of the named keys alone: what else is there stays. Undefined in `desired`: the key goes.
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

const isFields = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  }
  return isFields(a) && isFields(b) && replacement(a, b) === undefined
}
