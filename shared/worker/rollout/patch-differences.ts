import { type Difference, differences, joinPath } from './differences.ts'

/** What a merge patch changes in an object, place by place; what the patch does not name stays. */
export const patchDifferences = (present: unknown, patch: unknown, path = ''): readonly Difference[] => {
  if (!isFields(patch) || !isFields(present)) return differences(present, valueAfter(patch), path)
  return Object.entries(patch).flatMap(([name, value]) =>
    patchDifferences(Object.hasOwn(present, name) ? present[name] : undefined, value, joinPath(path, name)),
  )
}

/** Null takes away. */
const valueAfter = (patch: unknown): unknown => (patch === null ? undefined : patch)

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
