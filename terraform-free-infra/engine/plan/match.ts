import type { Graph } from '../graph/graph.ts'
import type { Resource } from '../graph/resource.ts'
import { type AnyFound, type AnyType, remembers } from '../graph/resource-type.ts'
import type { State } from '../state.ts'

/** What is there, by type. */
export type Observed<C> = ReadonlyMap<AnyType<C>, readonly AnyFound[]>

/** What was found for a resource of the graph. */
export interface Match {
  /** The one that is the resource: ready or pending. */
  readonly chosen: AnyFound | undefined
  /** Whose that is. */
  readonly whose: Whose | undefined
  /** Failed, deleting or gone ones in its place that are proved ours. */
  readonly dead: readonly AnyFound[]
}

/** Found, and no resource of the graph: left over, one too many, or somebody else's. */
export interface Extra<C> {
  readonly type: AnyType<C>
  readonly found: AnyFound
  readonly whose: Whose
}

export interface Matches<C> {
  readonly of: ReadonlyMap<Resource<C>, Match>
  readonly extra: readonly Extra<C>[]
}

/**
 * Decides which found thing is which resource: the one whose id stands in the state, else the one with its key, unless
 * nothing says that it is ours. Of several with one key: one that is proved ours, then one that others stand on, then one
 * that is ready, then the one of the smallest id.
 */
export const matchAll = <C>(graph: Graph<C>, observed: Observed<C>, state: State): Matches<C> => {
  const used = new Set(
    [...observed.values()].flat().flatMap(({ status, uses = [] }) => (status === 'gone' ? [] : uses)),
  )
  const whoseOf = whoseIn(graph, state)
  const rank = (whose: Whose, found: AnyFound): number =>
    (whose === 'likely' ? 4 : 0) + (used.has(found.id) ? 0 : 2) + (found.status === 'ready' ? 0 : 1)
  const taken = new Map<AnyFound, Resource<C>>()
  const chosen = new Map<Resource<C>, AnyFound>()

  const choose = (resource: Resource<C>, fits: (found: AnyFound) => boolean): void => {
    const [best] = (observed.get(resource.type) ?? [])
      .filter(found => isAlive(found) && !taken.has(found) && fits(found))
      .map(found => ({ found, whose: whoseOf(resource.type, found) }))
      .filter(({ whose }) => whose !== 'unproved')
      .sort(
        (one, other) =>
          rank(one.whose, one.found) - rank(other.whose, other.found) ||
          (one.found.id < other.found.id ? -1 : 1),
      )
    if (chosen.has(resource) || best === undefined) return
    chosen.set(resource, best.found)
    taken.set(best.found, resource)
  }
  // First those that the state knows, so that no other resource takes them for their key.
  for (const resource of graph.resources) choose(resource, ({ id }) => id === state[resource.idKey])
  for (const resource of graph.resources) choose(resource, ({ key }) => key === resource.key)

  const of = new Map<Resource<C>, Match>()
  for (const resource of graph.resources) {
    const dead = (observed.get(resource.type) ?? []).filter(
      found =>
        !isAlive(found) &&
        !taken.has(found) &&
        (found.id === state[resource.idKey] ||
          (found.key === resource.key && isProved(whoseOf(resource.type, found)))),
    )
    for (const found of dead) taken.set(found, resource)
    const best = chosen.get(resource)
    of.set(resource, { chosen: best, whose: best && whoseOf(resource.type, best), dead })
  }
  const extra = graph.types.flatMap(type =>
    (observed.get(type) ?? [])
      .filter(found => !taken.has(found) && !found.foreign && found.status !== 'gone')
      .map(found => ({ type, found, whose: whoseOf(type, found) })),
  )
  return { of, extra }
}

const isAlive = ({ status }: AnyFound): boolean => status === 'ready' || status === 'pending'

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
