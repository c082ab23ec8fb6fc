import type { Walk } from './space/walk.ts'

/**
 * Returns a shorter walk that still fails: without stops and troubles that do not matter.
 *
 * @param most limits the number of walks that are tried
 */
export const shrunkWalk = async (
  walk: Walk,
  fails: (walk: Walk) => Promise<boolean>,
  most = 60,
): Promise<Walk> => {
  let shortest = walk
  let left = most
  const tryOut = async (shorter: Walk): Promise<boolean> => {
    if (left-- <= 0 || shorter.length === 0 || !(await fails(shorter))) return false
    shortest = shorter
    return true
  }
  // From the end, because a walk that fails early needs no later stop.
  for (let index = walk.length - 1; index >= 0; index--)
    await tryOut(shortest.filter((_, at) => at !== index))
  for (let index = shortest.length - 1; index >= 0; index--)
    if (shortest[index]?.trouble !== undefined)
      await tryOut(shortest.map((stop, at) => (at === index ? { configuration: stop.configuration } : stop)))
  return shortest
}
