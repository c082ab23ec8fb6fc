import type { Graph, Resource } from '../graph/graph.ts'
import { type AnyFound, type AnyType, remembers } from '../graph/resource-type.ts'
import { type MemoryTime, mayBeYoung, noteGone, unanswered } from '../memory.ts'
import type { State } from '../state.ts'
import { goneKey } from '../state.ts'
import type { Forget, PlannedAction, Remove, RetainedThing } from './action.ts'

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
interface Extra<C> {
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

const isProved = (whose: Whose): boolean => whose === 'recorded' || whose === 'proved'

/** Matches a resource, but is retained. */
export interface Passed<C> {
  readonly type: AnyType<C>
  readonly found: AnyFound
  readonly why: string
}

export const unproved = 'no record or tag shows that it belongs to this object'

/**
 * Plans the actions for an unwanted resource: it is deleted if it is proved ours. When destroying, `keep` is ignored.
 */
export const planUnwanted = <C>({
  resource,
  match: { chosen, whose, dead },
  destroy,
  passed,
}: {
  readonly resource: Resource<C>
  readonly match: Match
  readonly destroy: boolean
  /** Collects retained resources. */
  readonly passed: Passed<C>[]
}): readonly Remove<C>[] => {
  const { type, label } = resource
  const there = [...(chosen === undefined ? [] : [chosen]), ...dead].filter(({ foreign }) => !foreign)
  for (const found of there) {
    // If an earlier step already deleted ours, a resource that looks like it is not ours.
    const why = found === chosen && whose === 'likely' ? unproved : destroy ? undefined : found.retain
    if (why !== undefined && found.status !== 'gone') passed.push({ type, found, why })
  }
  const goes = there.filter(found => !passed.some(other => other.found === found))
  return removals(type, label, goes, resource, { optional: !destroy })
}

interface ExtrasInput<C> {
  readonly matches: Matches<C>
  readonly observed: Observed<C>
  /** The planned actions for resources of the graph. */
  readonly planned: readonly PlannedAction<C>[]
  readonly passed: readonly Passed<C>[]
  readonly destroy: boolean
}

/**
 * Plans the actions for resources outside the graph. Resources that are proved ours are deleted, unless a retained
 * resource uses them. The others are retained.
 */
export const planExtras = <C>({
  matches,
  observed,
  planned,
  passed,
  destroy,
}: ExtrasInput<C>): { readonly removals: readonly Remove<C>[]; readonly left: readonly RetainedThing[] } => {
  const stays = ({ whose, found }: Extra<C>): string | undefined =>
    isProved(whose) ? (destroy ? undefined : found.retain) : unproved
  const proved = matches.extra.filter(extra => stays(extra) === undefined)
  const using = new Map(destroy ? [] : inUse(proved, observed, planned))
  return {
    removals: proved
      .filter(({ found }) => !using.has(found))
      .flatMap(thing =>
        removals(thing.type, labelOf(thing), [thing.found], undefined, { optional: !destroy }),
      ),
    left: [
      ...passed.map(thing => retained(thing, thing.why)),
      ...matches.extra.flatMap(extra => {
        const user = using.get(extra.found)
        const why = user === undefined ? stays(extra) : `it is in use by ${user}`
        return why === undefined || extra.found.status === 'deleting' ? [] : [retained(extra, why)]
      }),
    ],
  }
}

type Thing<C> = Pick<Extra<C>, 'type' | 'found'>

const labelOf = <C>({ type, found }: Thing<C>): string => `${type.what} ${found.key}`.trim()

export const retained = <C>(thing: Thing<C>, why: string): RetainedThing => ({
  label: labelOf(thing),
  id: thing.found.id,
  why,
})

/**
 * Returns the extras that a retained resource uses, and that resource. Extras in use are retained themselves, and so
 * are the extras that they use.
 */
const inUse = <C>(
  extras: readonly Extra<C>[],
  observed: Observed<C>,
  planned: readonly PlannedAction<C>[],
): ReadonlyMap<AnyFound, string> => {
  const going = new Set<AnyFound>([
    ...planned.flatMap(action => (action.target === 'removal' ? [action.found] : [])),
    ...extras.map(({ found }) => found),
  ])
  const all = [...observed].flatMap(([type, things]) =>
    // A resource that disappears with another one does not block it.
    things.flatMap(found => (type.remove === undefined && !found.foreign ? [] : [{ type, found }])),
  )
  const using = new Map<AnyFound, string>()
  for (;;) {
    const before = using.size
    for (const { found } of extras) {
      if (using.has(found)) continue
      const user = all.find(
        ({ found: other }) =>
          other.status !== 'gone' &&
          !going.has(other) &&
          (other.uses?.includes(found.id) || other.refersTo?.includes(found.id)),
      )
      if (user === undefined) continue
      using.set(found, `${user.type.what} ${user.found.id}`)
      going.delete(found)
    }
    if (using.size === before) return using
  }
}

/**
 * Returns the removals of resources of a type. Returns nothing for those that are gone, foreign, or disappear with
 * another resource.
 */
export const removals = <C>(
  type: AnyType<C>,
  label: string,
  things: readonly (AnyFound | undefined)[],
  resource: Resource<C> | undefined,
  { replaced = false, optional = false }: { readonly replaced?: boolean; readonly optional?: boolean } = {},
): readonly Remove<C>[] =>
  things.flatMap(found => {
    if (found === undefined || found.foreign || found.status === 'gone' || type.remove === undefined)
      return []
    const kind = found.status === 'deleting' ? 'wait' : 'delete'
    return [
      {
        target: 'removal',
        kind,
        sentence:
          kind === 'wait' ? `wait for ${label} (${found.id}) to be deleted` : `delete ${label} (${found.id})`,
        label,
        type,
        found,
        resource,
        replaced,
        optional,
        changes: [],
      },
    ]
  })

interface ForgetInput<C> {
  readonly graph: Graph<C>
  readonly observed: Observed<C>
  readonly state: State
  readonly moment: MemoryTime
  readonly destroy: boolean
}

/**
 * Returns actions that forget state keys of resources that are neither wanted nor present, and waits for unwanted
 * resources that the cloud may not list yet.
 */
export const forgets = <C>(input: ForgetInput<C>): readonly Forget[] => [
  ...forgetsOfKeys(input),
  ...waitsForUnanswered(input),
]

/** A create without an answer may have made a resource, so nothing ends before the cloud must list it. */
const waitsForUnanswered = <C>({ graph, state, moment, destroy }: ForgetInput<C>): readonly Forget[] => {
  const wanted = new Set(graph.resources.filter(({ wanted }) => wanted && !destroy).map(({ idKey }) => idKey))
  const labels = new Map(graph.resources.map(({ idKey, label }) => [idKey, label]))
  return unanswered(state, moment)
    .filter(idKey => !wanted.has(idKey))
    .map(idKey => ({
      target: 'state',
      kind: 'wait',
      sentence: `wait for ${labels.get(idKey) ?? idKey} to be listed, because its creation got no answer`,
      changes: [],
      keys: [],
      instead: {},
    }))
}

const forgetsOfKeys = <C>(input: ForgetInput<C>): readonly Forget[] => {
  const { graph, observed, state, moment, destroy } = input
  const standing = (type: AnyType<C>, id: string | undefined) =>
    (observed.get(type) ?? []).find(found => found.id === id && !found.foreign && found.status !== 'gone')
  const claimed = new Set(graph.resources.flatMap(({ stateKeys }) => stateKeys))
  const unwanted = graph.resources
    .filter(({ wanted }) => destroy || !wanted)
    .map(({ label, type, idKey, stateKeys }) => ({ label, type, idKey, stateKeys }))
  // `path` and `path light` are types. A key that only has the same prefix belongs to the resource that the other type
  // found.
  const isOthers = (type: AnyType<C>, id: string | undefined): boolean =>
    type.remembers === undefined &&
    graph.types.some(other => other !== type && standing(other, id) !== undefined)
  const leftOver = graph.types.flatMap(type =>
    Object.keys(state)
      .filter(key => !claimed.has(key) && remembers(type, key) && !isOthers(type, state[key]))
      .map(key => ({ label: `${type.what} ${key}`, type, idKey: key, stateKeys: [key] })),
  )
  return [...unwanted, ...leftOver].flatMap(({ label, type, idKey, stateKeys }): readonly Forget[] => {
    const id = state[idKey]
    const keys = stateKeys.filter(key => state[key] !== undefined)
    const there = standing(type, id) !== undefined
    // The removal of an existing resource also forgets its key.
    if (keys.length === 0 || (there && type.remove !== undefined)) return []
    const common = { target: 'state', changes: [] } as const
    // A resource that is listed as gone counts as listed.
    const listed = observed.get(type)?.some(found => found.id === id) ?? false
    if (!listed && mayBeYoung(state, [idKey], moment)) {
      const sentence = `wait for ${label} (${id}) to be listed`
      return [{ ...common, kind: 'wait', sentence, keys: [], instead: {} }]
    }
    const former = destroy || id === undefined || !type.usesToken ? {} : { [goneKey(idKey)]: id }
    // A later list may still contain it.
    const gone = id === undefined || type.remove === undefined ? {} : noteGone(type.what, id, moment.now)
    return [{ ...common, kind: 'forget', sentence: `forget ${label}`, keys, instead: { ...former, ...gone } }]
  })
}
