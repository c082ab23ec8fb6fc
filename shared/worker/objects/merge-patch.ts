/** A JSON object or a part of one. */
export type JsonFields = Readonly<Record<string, unknown>>

/**
 * Returns the merge patch that turns `present` into exactly `desired`, or undefined if they are equal. Removes
 * everything that is not in `desired`. Null equals absent, because a merge patch cannot distinguish them.
 *
 * @example replacement({ a: 1, b: [1] }, { b: [2], c: {} }) // { a: null, b: [2], c: {} }
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

const isFields = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  }
  return isFields(a) && isFields(b) && replacement(a, b) === undefined
}

/**
 * Runs the work for each item, with at most this many at once. After a failure no further item is started; running ones
 * finish, then the first failure is thrown.
 */
export const atMost = async <T>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const queue = items.values()
  let failure: { readonly error: unknown } | undefined
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      try {
        await work(item)
      } catch (error) {
        failure ??= { error }
      }
      if (failure !== undefined) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  if (failure !== undefined) throw failure.error
}

/** Maximum number of concurrent writes of one kind (docs/contract/workers.md#order-of-writes). */
export const writesAtOnce = 50
