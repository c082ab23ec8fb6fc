import { mergePatch } from '../../../shared/kubernetes/merge-patch.ts'
import type { VersionOfObject } from '../model/history.ts'

/** Returns an object at a time, from its versions in order. Undefined if it did not exist. */
export const objectAt = (versions: readonly VersionOfObject[], time: number): unknown => {
  let object: unknown
  for (const version of versions) {
    if (version.at > time) break
    if (version.object !== undefined) object = version.object
    else if (version.patch !== undefined) object = mergePatch(object, version.patch)
    else object = undefined
  }
  return object
}

/** Returns the ids of the objects with a version after `from` and until `to`, in order of the first. */
export const changedBetween = (
  versions: readonly VersionOfObject[],
  from: number,
  to: number,
): readonly string[] => [...new Set(versions.filter(({ at }) => at > from && at <= to).map(({ id }) => id))]
