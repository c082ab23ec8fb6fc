import type { Resource } from '../graph/resource.ts'
import type { AnyFound, AnyType } from '../graph/resource-type.ts'
import type { LeftAlone, PlannedAction, Remove } from './action.ts'
import type { Extra, Match, Matches, Observed } from './match.ts'
import { isProved } from './match.ts'
import { removals } from './plan-removal.ts'

/** Found for a resource, and left as it is. */
export interface Passed<C> {
  readonly type: AnyType<C>
  readonly found: AnyFound
  readonly why: string
}

export const unproved = 'nothing proves that it is ours'

/** What is done about a resource that is not wanted: it goes if it is proved ours. To destroy, nothing is kept. */
export const planUnwanted = <C>({
  resource,
  match: { chosen, whose, dead },
  destroy,
  passed,
}: {
  readonly resource: Resource<C>
  readonly match: Match
  readonly destroy: boolean
  /** Filled with what stays. */
  readonly passed: Passed<C>[]
}): readonly Remove<C>[] => {
  const { type, label } = resource
  const there = [...(chosen === undefined ? [] : [chosen]), ...dead].filter(({ foreign }) => !foreign)
  for (const found of there) {
    // Where ours has gone in an earlier step, what looks like it is none of ours.
    const why = found === chosen && whose === 'likely' ? unproved : destroy ? undefined : found.keep
    if (why !== undefined && found.status !== 'gone') passed.push({ type, found, why })
  }
  const goes = there.filter(found => !passed.some(other => other.found === found))
  return removals(type, label, goes, resource, { optional: !destroy })
}

interface ExtrasInput<C> {
  readonly matches: Matches<C>
  readonly observed: Observed<C>
  /** What is done about the resources of the graph. */
  readonly planned: readonly PlannedAction<C>[]
  readonly passed: readonly Passed<C>[]
  readonly destroy: boolean
}

/**
 * What is done about things that are no resource of the graph: those that are proved ours go, unless something uses them
 * that stays. The others are left alone.
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

/** Which of the extras something uses that stays, and what. Who uses what stays by that stays, too. */
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
    // What vanishes with another thing does not hold that.
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
