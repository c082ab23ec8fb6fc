import { notedWaits, type State } from '../../engine/engine.ts'

/** The purpose of a graph. A graph for a deletion also contains leftovers of others. */
export interface Purpose {
  readonly destroying?: boolean
}

/**
 * Returns true if the read for a type can be skipped: an earlier step of this deletion has read it, nothing more can be
 * done, and only other types are waited for. The role of the nodes shows that it was a step of a deletion: the first
 * deletion step removes it, and every earlier step has created it or failed.
 */
export const isDoneWith = (
  state: State,
  { destroying }: Purpose,
  {
    what,
    keys,
    behind = [],
  }: {
    readonly what: string
    readonly keys: readonly string[]
    /** Types that block this type during their deletion, so this type still has to be removed. */
    readonly behind?: readonly string[]
  },
): boolean => {
  if (!destroying || ['IAMRoleName', ...keys].some(key => state[key] !== undefined)) return false
  const waits = notedWaits(state)
  return (
    waits.length > 0 &&
    waits.every(wait => wait.how === 'going' && wait.what !== what && !behind.includes(wait.what))
  )
}
