import type { Graph, Resource } from './graph.ts'
import type { AnyFound, AnyType } from './resource-type.ts'
import type { State } from './state.ts'

/** What is there, by type. */
export type Observed<C> = ReadonlyMap<AnyType<C>, readonly AnyFound[]>

/** What was found for a resource of the graph. */
export interface Match {
  /** The one that is the resource: ready or pending. */
  readonly chosen: AnyFound | undefined
  /** Failed, deleting or gone ones in its place. */
  readonly dead: readonly AnyFound[]
}

export interface Matches<C> {
  readonly of: ReadonlyMap<Resource<C>, Match>
  /** Found, ours, and no resource of the graph: left over, or one too many. */
  readonly extra: readonly { readonly type: AnyType<C>; readonly found: AnyFound }[]
}

/**
 * Decides which found thing is which resource: the one whose id stands in the state, else the one with its key. Of
 * several with one key: one that others stand on, then one that is ready, then the one of the smallest id.
 */
export const matchAll = <C>(graph: Graph<C>, observed: Observed<C>, state: State): Matches<C> => {
  const used = new Set(
    [...observed.values()].flat().flatMap(({ status, uses = [] }) => (status === 'gone' ? [] : uses)),
  )
  const rank = (found: AnyFound): number => (used.has(found.id) ? 0 : 2) + (found.status === 'ready' ? 0 : 1)
  const taken = new Map<AnyFound, Resource<C>>()
  const chosen = new Map<Resource<C>, AnyFound>()

  const choose = (resource: Resource<C>, fits: (found: AnyFound) => boolean): void => {
    const [best] = (observed.get(resource.type) ?? [])
      .filter(found => isAlive(found) && !taken.has(found) && fits(found))
      .sort((one, other) => rank(one) - rank(other) || (one.id < other.id ? -1 : 1))
    if (chosen.has(resource) || best === undefined) return
    chosen.set(resource, best)
    taken.set(best, resource)
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
        (found.id === state[resource.idKey] || found.key === resource.key),
    )
    for (const found of dead) taken.set(found, resource)
    of.set(resource, { chosen: chosen.get(resource), dead })
  }
  const extra = graph.types.flatMap(type =>
    (observed.get(type) ?? [])
      .filter(found => !taken.has(found) && !found.foreign && found.status !== 'gone')
      .map(found => ({ type, found })),
  )
  return { of, extra }
}

const isAlive = ({ status }: AnyFound): boolean => status === 'ready' || status === 'pending'
