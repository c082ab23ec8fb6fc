/** Merges values as Helm does: maps key by key; otherwise the later value wins. */
export const mergeValues = (...all: readonly unknown[]): unknown => all.reduce(mergedPair)

const mergedPair = (before: unknown, later: unknown): unknown => {
  if (later === undefined || later === null) return before
  if (!isMap(before) || !isMap(later)) return later
  const keys = [...new Set([...Object.keys(before), ...Object.keys(later)])]
  return Object.fromEntries(keys.map(key => [key, mergedPair(before[key], later[key])]))
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
