import type { Timestamp } from '../../shared/clock/clock.ts'
import type { Change } from './attributes.ts'
import { ActionError, failureOf } from './fault.ts'
import type { Graph, Resource } from './graph.ts'
import { type Matches, matchAll, type Observed } from './match.ts'
import { ordered } from './plan-order.ts'
import { forgets, removals } from './plan-removal.ts'
import { planResource } from './plan-resource.ts'
import type { AnyFound, AnyType } from './resource-type.ts'
import type { State } from './state.ts'
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
}

/** Removes keys from the state: what they stand for is no more, and not wanted. Or waits, as it may not be listed yet. */
export interface Forget extends Common {
  readonly kind: 'forget' | 'wait'
  readonly target: 'state'
  readonly keys: readonly string[]
  /** What to write in their place. */
  readonly instead: Readonly<Record<string, string>>
}

export type Planned<C> = Ensure<C> | Remove<C> | Forget

export type Action<C> = Planned<C> & {
  /** Sentences of the actions that have to be done before. */
  readonly after: readonly string[]
}

export interface Plan<C> {
  /** In an order in which each comes after those it waits for. */
  readonly actions: readonly Action<C>[]
  /** Outcomes of what is there and stays. */
  readonly outcomes: ReadonlyMap<string, unknown>
  readonly destroying: boolean
  /** What has failed since a step began to wait for it: it is replaced, and told unless that is done at once. */
  readonly failures: readonly ActionError[]
  /** How many resources the graph wants, or when destroying, knows. */
  readonly size: number
}

export interface PlanInput<C> {
  readonly graph: Graph<C>
  readonly observed: Observed<C>
  readonly state: State
  readonly now: Timestamp
  /** Nothing is wanted: everything of the graph's types that is ours goes. */
  readonly destroy?: boolean
}

/** What has to be done; empty when nothing differs. Pure. */
export const planChanges = <C>({ graph, observed, state, now, destroy = false }: PlanInput<C>): Plan<C> => {
  const matches = matchAll(graph, observed, state)
  const outcomes = new Map<string, unknown>()
  const unsettled = new Set<string>()
  const replaced = new Set<string>()
  const planned: Planned<C>[] = []
  for (const resource of graph.resources) {
    const match = matches.of.get(resource) ?? { chosen: undefined, dead: [] }
    const wanted = resource.wanted && !destroy
    planned.push(
      ...(wanted
        ? planResource({ resource, match, state, now, outcomes, unsettled, replaced })
        : removals(resource.type, resource.label, [match.chosen, ...match.dead], resource)),
    )
  }
  for (const { type, found } of matches.extra) {
    planned.push(...removals(type, `${type.what} ${found.key}`.trim(), [found], undefined))
  }
  planned.push(...forgets({ graph, observed, state, now, destroy }))
  const wanted = graph.resources.filter(resource => resource.wanted)
  return {
    actions: ordered(planned, graph),
    outcomes,
    destroying: destroy,
    failures: destroy ? [] : failuresOf(matches, state),
    size: (destroy ? graph.resources : wanted).length,
  }
}

const failuresOf = <C>({ of }: Matches<C>, state: State): readonly ActionError[] =>
  [...of].flatMap(([{ label, wanted }, { dead }]) =>
    dead
      .filter(
        ({ id, status }) => wanted && status === 'failed' && waitingSince(state, label, id) !== undefined,
      )
      .map(found => new ActionError(`wait for ${label} to become available`, failureOf(label, found))),
  )
