import { type Difference, differences, joinPath } from './differences.ts'

/**
 * Returns the changes that a merge patch makes to an object, place by place. Fields that the patch does not name stay.
 */
export const patchDifferences = (present: unknown, patch: unknown, path = ''): readonly Difference[] => {
  if (!isFields(patch) || !isFields(present)) return differences(present, valueAfter(patch), path)
  return Object.entries(patch).flatMap(([name, value]) =>
    patchDifferences(Object.hasOwn(present, name) ? present[name] : undefined, value, joinPath(path, name)),
  )
}

/** Null removes the value. */
const valueAfter = (patch: unknown): unknown => (patch === null ? undefined : patch)

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
