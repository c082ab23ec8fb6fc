import type { WorldPlan } from './world-plan.ts'

/**
 * Returns the smallest plan found that still fails: it leaves out actions, first many at once, and then shoots.
 *
 * @param fails runs a plan
 * @param isOver ends the search early
 */
export const shrinkPlan = async (
  plan: WorldPlan,
  fails: (plan: WorldPlan) => Promise<boolean>,
  isOver: () => boolean,
): Promise<WorldPlan> => {
  let smallest = plan
  for (let size = Math.ceil(plan.actions.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < smallest.actions.length; ) {
      if (isOver()) return smallest
      const actions = smallest.actions.filter((_, index) => index < from || index >= from + size)
      const smaller = { ...smallest, actions }
      if (await fails(smaller)) smallest = smaller
      else from += size
    }
  const last = smallest.shoots.length - 1
  const isUnused = !smallest.actions.some(action => action.kind === 'request' && action.shoot === last)
  if (last > 0 && isUnused && !isOver()) {
    const smaller = { ...smallest, shoots: smallest.shoots.slice(0, -1) }
    if (await fails(smaller)) return shrinkPlan(smaller, fails, isOver)
  }
  return smallest
}
