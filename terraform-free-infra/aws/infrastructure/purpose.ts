import { notedWaits, type State } from '../../engine/engine.ts'

/** What a graph is for: a graph to destroy also holds what others have left behind. */
export interface Purpose {
  readonly destroying?: boolean
}

/**
 * Whether a look for things of a type can be left out: a step of this deletion has looked before, has done all that could
 * be done, and only waits for other things to be gone. That it was a step of a deletion shows in the role of the nodes,
 * which goes in the first one and which every step before has made or has failed.
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
    /** Types that hold things of this type up while they go, so that those are still to be removed. */
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
