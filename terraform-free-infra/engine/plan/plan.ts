import type { Timestamp } from '../../../shared/clock/clock.ts'
import { ActionError, failureOf } from '../error-kind.ts'
import type { Change } from '../graph/attributes.ts'
import type { Graph, Resource, Unmark } from '../graph/graph.ts'
import type { AnyFound, AnyType } from '../graph/resource-type.ts'
import type { State } from '../state.ts'
import { type Matches, matchAll, type Observed } from './match.ts'
import { type Passed, planExtras, planUnwanted } from './plan-extras.ts'
import { ordered } from './plan-order.ts'
import { forgets } from './plan-removal.ts'
import { planResource } from './plan-resource.ts'
import { waitingSince } from './waits.ts'

export type ActionKind =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  | 'wait'
  | 'adopt'
  | 'forget'
  /** Not there, and not ours to create. */
  | 'missing'

interface Common {
  /** Says it to people, and is its name in the plan. */
  readonly sentence: string
  readonly changes: readonly Change[]
}

/** Makes a resource of the graph so, or waits until it is. */
export interface Ensure<C> extends Common {
  readonly kind: 'create' | 'update' | 'replace' | 'wait' | 'adopt' | 'missing'
  readonly target: 'resource'
  readonly resource: Resource<C>
  /** What is there already. */
  readonly found: AnyFound | undefined
  /** What is there is only likely ours: it is recorded once it has turned out to be what is wished. */
  readonly likely: boolean
  /** Ids that have been this resource: makes the token of a create. */
  readonly incarnation: readonly string[]
}

/** Removes a thing, or waits until it is gone. */
export interface Remove<C> extends Common {
  readonly kind: 'delete' | 'wait'
  readonly target: 'removal'
  readonly label: string
  readonly type: AnyType<C>
  readonly found: AnyFound
  /** The resource that it is, or was. */
  readonly resource: Resource<C> | undefined
  /** Another one takes its place: the state keeps its id until then. */
  readonly replaced: boolean
  /** Nothing fails for it: what the cloud does not let go is in use, and left alone. */
  readonly optional: boolean
}

/** Takes away the marks of all that was made, once it is recorded. */
export interface Unmarking extends Common {
  readonly kind: 'update'
  readonly target: 'marks'
  /** The marks of what was made before, by the ids of what carries them. */
  readonly marks: ReadonlyMap<string, string>
}

/** What is left alone although it looks like ours. */
export interface LeftAlone {
  /** What it is, with its key: `route table shoot--foo--bar`. */
  readonly label: string
  readonly id: string
  /** Why, as the end of a sentence: `nothing proves that it is ours`. */
  readonly why: string
}

/** Removes keys from the state: what they stand for is no more, and not wanted. Or waits, as it may not be listed yet. */
export interface Forget extends Common {
  readonly kind: 'forget' | 'wait'
  readonly target: 'state'
  readonly keys: readonly string[]
  /** What to write in their place. */
  readonly instead: Readonly<Record<string, string>>
}

export type PlannedAction<C> = Ensure<C> | Remove<C> | Forget | Unmarking

export type Action<C> = PlannedAction<C> & {
  /** Sentences of the actions that have to be done before. */
  readonly after: readonly string[]
}

export interface Plan<C> {
  /** In an order in which each comes after those it waits for. */
  readonly actions: readonly Action<C>[]
  /** Outcomes of what is there and stays. */
  readonly outcomes: ReadonlyMap<string, unknown>
  readonly destroying: boolean
  /** What looks like ours and stays as it is. */
  readonly left: readonly LeftAlone[]
  /** What has failed since a step began to wait for it: it is replaced, and told unless that is done at once. */
  readonly failures: readonly ActionError[]
  readonly unmark: Unmark<C> | undefined
  /** How many resources the graph wants, or when destroying, knows. */
  readonly size: number
}

export interface PlanInput<C> {
  readonly graph: Graph<C>
  readonly observed: Observed<C>
  readonly state: State
  readonly now: Timestamp
  /** Nothing is wanted: everything of the graph's types that is proved ours goes. */
  readonly destroy?: boolean
}

/** What has to be done; empty when nothing differs. Pure. */
export const planChanges = <C>({ graph, observed, state, now, destroy = false }: PlanInput<C>): Plan<C> => {
  const matches = matchAll(graph, observed, state)
  const outcomes = new Map<string, unknown>()
  const unsettled = new Set<string>()
  const replaced = new Set<string>()
  const planned: PlannedAction<C>[] = []
  const passed: Passed<C>[] = []
  for (const resource of graph.resources) {
    const match = matches.of.get(resource) ?? { chosen: undefined, whose: undefined, dead: [] }
    if (resource.wanted && !destroy) {
      planned.push(...planResource({ resource, match, state, now, outcomes, unsettled, replaced, passed }))
    } else {
      planned.push(...planUnwanted({ resource, match, destroy, passed }))
    }
  }
  const extras = planExtras({ matches, observed, planned, passed, destroy })
  planned.push(...extras.removals, ...forgets({ graph, observed, state, now, destroy }))
  if (!destroy) planned.push(...unmarking(graph, matches, planned))
  const wanted = graph.resources.filter(resource => resource.wanted)
  return {
    actions: ordered(planned, graph),
    outcomes,
    destroying: destroy,
    left: extras.left,
    unmark: graph.unmark,
    failures: destroy ? [] : failuresOf(matches, state),
    size: (destroy ? graph.resources : wanted).length,
  }
}

/** Marks go when nothing else is left to do: until then they say whose a thing is that never came into the state. */
const unmarking = <C>(
  { unmark }: Graph<C>,
  { of }: Matches<C>,
  planned: readonly PlannedAction<C>[],
): readonly Unmarking[] => {
  if (unmark === undefined) return []
  const marks = new Map(
    [...of].flatMap(([{ wanted }, { chosen }]) =>
      wanted && chosen?.mark !== undefined ? [[chosen.id, chosen.mark] as const] : [],
    ),
  )
  const makes = planned.some(
    action =>
      action.target === 'resource' &&
      (action.kind === 'create' || action.kind === 'replace') &&
      action.resource.type.marks,
  )
  if (marks.size === 0 && !makes) return []
  const sentence = 'take the marks of its creation away'
  return [{ target: 'marks', kind: 'update', sentence, changes: [], marks }]
}

const failuresOf = <C>({ of }: Matches<C>, state: State): readonly ActionError[] =>
  [...of].flatMap(([{ label, wanted }, { dead }]) =>
    dead
      .filter(
        ({ id, status }) => wanted && status === 'failed' && waitingSince(state, label, id) !== undefined,
      )
      .map(found => new ActionError(`wait for ${label} to become available`, failureOf(label, found))),
  )
