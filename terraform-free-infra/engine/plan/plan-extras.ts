import type { Resource } from '../graph/resource.ts'
import type { AnyFound, AnyType } from '../graph/resource-type.ts'
import type { LeftAlone, PlannedAction, Remove } from './action.ts'
import type { Extra, Match, Matches, Observed } from './match.ts'
import { isProved } from './match.ts'
import { removals } from './plan-removal.ts'

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
    const why = found === chosen && whose === 'likely' ? unproved : destroy ? undefined : found.keep
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
 * Plans the actions for resources outside the graph. Those that are proved ours are deleted, unless a retained resource
 * uses them. The others are retained.
 */
export const planExtras = <C>({
  matches,
  observed,
  planned,
  passed,
  destroy,
}: ExtrasInput<C>): { readonly removals: readonly Remove<C>[]; readonly left: readonly LeftAlone[] } => {
  const stays = ({ whose, found }: Extra<C>): string | undefined =>
    isProved(whose) ? (destroy ? undefined : found.keep) : unproved
  const proved = matches.extra.filter(extra => stays(extra) === undefined)
  const using = new Map(destroy ? [] : inUse(proved, observed, planned))
  return {
    removals: proved
      .filter(({ found }) => !using.has(found))
      .flatMap(thing =>
        removals(thing.type, labelOf(thing), [thing.found], undefined, { optional: !destroy }),
      ),
    left: [
      ...passed.map(thing => leftAlone(thing, thing.why)),
      ...matches.extra.flatMap(extra => {
        const user = using.get(extra.found)
        const why = user === undefined ? stays(extra) : `it is in use by ${user}`
        return why === undefined || extra.found.status === 'deleting' ? [] : [leftAlone(extra, why)]
      }),
    ],
  }
}

type Thing<C> = Pick<Extra<C>, 'type' | 'found'>

const labelOf = <C>({ type, found }: Thing<C>): string => `${type.what} ${found.key}`.trim()

export const leftAlone = <C>(thing: Thing<C>, why: string): LeftAlone => ({
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
