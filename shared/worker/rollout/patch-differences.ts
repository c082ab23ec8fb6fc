import { isRecord } from '../../decode/record-of.ts'
import { type Difference, differences, joinPath } from './differences.ts'

/**
 * Returns the changes that a merge patch makes to an object, place by place. Fields that the patch does not name stay.
 */
export const patchDifferences = (present: unknown, patch: unknown, path = ''): readonly Difference[] => {
  if (!isRecord(patch) || !isRecord(present)) return differences(present, valueAfter(patch), path)
  return Object.entries(patch).flatMap(([name, value]) =>
    patchDifferences(Object.hasOwn(present, name) ? present[name] : undefined, value, joinPath(path, name)),
  )
}

/** Null removes the value. */
const valueAfter = (patch: unknown): unknown => (patch === null ? undefined : patch)
