import type { Timestamp } from '../../../shared/clock/clock.ts'
import { ActionError, failureOf } from '../error-kind.ts'
import type { Graph } from '../graph/graph.ts'
import type { State } from '../state.ts'
import type { Plan, PlannedAction, Unmarking } from './action.ts'
import { type Matches, matchAll, type Observed } from './match.ts'
import { type Passed, planExtras, planUnwanted } from './plan-extras.ts'
import { inPlanOrder } from './plan-order.ts'
import { forgets } from './plan-removal.ts'
import { planResource } from './plan-resource.ts'
import { waitingSince } from './waits.ts'

export interface PlanInput<C> {
  readonly graph: Graph<C>
  readonly observed: Observed<C>
  readonly state: State
  readonly now: Timestamp
  /** Nothing is desired: all resources of the graph's types that are proved ours are removed. */
  readonly destroy?: boolean
}

/** Returns the plan. It is empty if nothing differs. Pure. */
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
    actions: inPlanOrder(planned, graph),
    outcomes,
    destroying: destroy,
    left: extras.left,
    unmark: graph.unmark,
    failures: destroy ? [] : failuresOf(matches, state),
    size: (destroy ? graph.resources : wanted).length,
  }
}

/** Marks are removed last: until then, they prove the owner of resources that were never recorded. */
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
  const sentence = 'remove the tags of its creation'
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
