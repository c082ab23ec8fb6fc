import type { Graph } from '../graph/graph.ts'
import type { AnyFound, AnyType } from '../graph/resource-type.ts'
import type { State } from '../state.ts'
import { remembers } from './plan-removal.ts'

/**
 * Whose a thing is. `recorded`: the state has its id. `proved`: it carries the object's mark, or its type says so. The
 * others are not ours to delete: `likely` may be adopted, `unproved` is only told of, `foreign` only looked up.
 */
export type Whose = 'recorded' | 'proved' | 'likely' | 'unproved' | 'foreign'

/** Says of what was found whose it is. */
export const whoseIn = <C>(
  { resources }: Graph<C>,
  state: State,
): ((type: AnyType<C>, found: AnyFound) => Whose) => {
  const recorded = new Map<AnyType<C>, ReadonlySet<string>>()
  const recordedOf = (type: AnyType<C>): ReadonlySet<string> => {
    const known = recorded.get(type)
    if (known !== undefined) return known
    const keys = new Set(resources.flatMap(resource => (resource.type === type ? [resource.idKey] : [])))
    const ids = new Set(
      Object.entries(state).flatMap(([key, id]) => (keys.has(key) || remembers(type, key) ? [id] : [])),
    )
    recorded.set(type, ids)
    return ids
  }
  return (type, found) => {
    if (found.foreign) return 'foreign'
    if (recordedOf(type).has(found.id)) return 'recorded'
    if (found.mark !== undefined) return 'proved'
    return found.ours ?? 'unproved'
  }
}

export const isProved = (whose: Whose): boolean => whose === 'recorded' || whose === 'proved'
