import type { Graph } from '../graph/graph.ts'
import type { Resource } from '../graph/resource.ts'
import { type AnyFound, type AnyType, remembers } from '../graph/resource-type.ts'
import type { State } from '../state.ts'

/** The found resources by type. */
export type Observed<C> = ReadonlyMap<AnyType<C>, readonly AnyFound[]>

/** The found resources that match a resource of the graph. */
export interface Match {
  /** The match that is used: ready or pending. */
  readonly chosen: AnyFound | undefined
  /** The owner of the match. */
  readonly whose: Whose | undefined
  /** Failed, deleting or gone matches that are proved ours. */
  readonly dead: readonly AnyFound[]
}

/** A found resource that is not in the graph: a leftover, a duplicate, or a foreign resource. */
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
 * Matches found resources with those of the graph: by the id in the state, otherwise by the key, unless ownership is
 * unproved. If several have one key, prefers one that is proved ours, then one that others use, then one that is ready,
 * then the smallest id.
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
  // Matches resources in the state first, so that no other resource claims them by their key.
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
 * The owner of a resource. `recorded`: the state has its id. `proved`: it carries the object's mark, or its type says
 * so. The others are not ours to delete: `likely` may be adopted, `unproved` is only reported, `foreign` is only looked
 * up.
 */
export type Whose = 'recorded' | 'proved' | 'likely' | 'unproved' | 'foreign'

/** Returns a function that determines the owner of a found resource. */
const whoseIn = <C>(
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
