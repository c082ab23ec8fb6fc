import type { State } from '../../engine/engine.ts'

/** What a graph is for: a graph to destroy also holds what others have left behind. */
export interface Purpose {
  readonly destroying?: boolean
}

/**
 * Whether a look for things of a type can be left out: a step of this deletion has looked before (it waits for something
 * else), and neither knows an id of the type nor waits for one.
 */
export const isDoneWith = (
  state: State,
  { destroying }: Purpose,
  { what, keys }: { readonly what: string; readonly keys: readonly string[] },
): boolean => {
  if (!destroying || keys.some(key => state[key] !== undefined)) return false
  const waits = Object.entries(state).filter(([key]) => key.startsWith('Waiting/'))
  return waits.length > 0 && !waits.some(([, wait]) => wait.endsWith(` ${what}`))
}
