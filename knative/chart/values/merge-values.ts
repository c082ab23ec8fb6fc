import { isRecord } from '../../../shared/decode/record-of.ts'
/**
 * Merges given values as Helm does: maps key by key; otherwise the later value wins. A null is kept: it removes an
 * earlier value.
 */
export const mergeValues = (...all: readonly unknown[]): unknown =>
  all.reduce((before, later) => merged(before, later, () => null))

/** Returns given values with defaults, as the templates see them: a value that is null or absent has its default. */
export const withDefaults = (defaults: object, given: unknown): unknown =>
  merged(defaults, given, usual => usual)

const merged = (before: unknown, later: unknown, nullAfter: (before: unknown) => unknown): unknown => {
  if (later === undefined) return before
  if (later === null) return nullAfter(before)
  if (!isRecord(later)) return later
  const own = isRecord(before) ? before : {}
  const keys = [...new Set([...Object.keys(own), ...Object.keys(later)])]
  const entries = keys.map(key => [key, merged(own[key], later[key], nullAfter)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
