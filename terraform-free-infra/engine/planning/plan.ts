import { ActionError, failureOf } from '../error-kind.ts'
import type { Graph, Resource } from '../graph/graph.ts'
import type { AnyFound } from '../graph/resource-type.ts'
import { type Change, differences, knownAfterCreate } from '../graph/resource-type.ts'
import { isChanging, isCreating, isMade, type MemoryTime } from '../memory.ts'
import type { State } from '../state.ts'
import { goneKey, waitingSince } from '../state.ts'
import type { Action, Ensure, Plan, PlannedAction, Remove, Unmarking } from './action.ts'
import {
  forgets,
  type Match,
  type Matches,
  matchAll,
  type Observed,
  type Passed,
  planExtras,
  planUnwanted,
  removals,
  unproved,
} from './match.ts'

export interface PlanInput<C> {
  readonly graph: Graph<C>
  readonly observed: Observed<C>
  readonly state: State
  readonly moment: MemoryTime
  /** Nothing is desired: all resources of the graph's types that are proved ours are removed. */
  readonly destroy?: boolean
}

/** Returns the plan. It is empty if nothing differs. Pure. */
export const planChanges = <C>({
  graph,
  observed,
  state,
  moment,
  destroy = false,
}: PlanInput<C>): Plan<C> => {
  const matches = matchAll(graph, observed, state)
  const outcomes = new Map<string, unknown>()
  const incomplete = new Set<string>()
  const replaced = new Set<string>()
  const planned: PlannedAction<C>[] = []
  const passed: Passed<C>[] = []
  for (const resource of graph.resources) {
    const match = matches.of.get(resource) ?? { chosen: undefined, whose: undefined, dead: [] }
    if (resource.wanted && !destroy) {
      planned.push(
        ...planResource({ resource, match, state, moment, outcomes, incomplete, replaced, passed }),
      )
    } else {
      planned.push(...planUnwanted({ resource, match, destroy, passed }))
    }
  }
  const extras = planExtras({ matches, observed, planned, passed, destroy })
  planned.push(...extras.removals, ...forgets({ graph, observed, state, moment, destroy }))
  if (!destroy) planned.push(...unmarking(graph, matches, planned))
  const wanted = graph.resources.filter(resource => resource.wanted)
  return {
    actions: inPlanOrder(planned),
    outcomes,
    destroying: destroy,
    left: extras.left,
    hooks: graph.hooks,
    failures: destroy ? [] : failuresOf(matches, state),
    size: (destroy ? graph.resources : wanted).length,
  }
}

/** Marks are removed last: until then, they prove the owner of resources that were never recorded. */
const unmarking = <C>(
  { hooks }: Graph<C>,
  { of }: Matches<C>,
  planned: readonly PlannedAction<C>[],
): readonly Unmarking[] => {
  if (hooks.unmark === undefined) return []
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

interface PlanResourceInput<C> {
  readonly resource: Resource<C>
  readonly match: Match
  readonly state: State
  readonly moment: MemoryTime
  /** Collects the outcome of the resource if it exists and is retained. */
  readonly outcomes: Map<string, unknown>
  /** Collects the label of a resource whose outcome is incomplete. */
  readonly incomplete: Set<string>
  /** Collects the label of a resource that is replaced. */
  readonly replaced: Set<string>
  /** Collects conflicting resources that are not proved ours. They are retained, and another resource is created. */
  readonly passed: Passed<C>[]
}

/** Plans the actions for a wanted resource. */
const planResource = <C>({
  resource,
  match,
  state,
  moment,
  outcomes,
  incomplete,
  replaced,
  passed,
}: PlanResourceInput<C>): readonly PlannedAction<C>[] => {
  const { type, label, idKey } = resource
  const { chosen, dead } = match
  const resolved = resource.desired(outcomes, incomplete)
  const incarnation = [state[idKey], state[goneKey(idKey)], ...dead.map(({ id }) => id)].filter(
    id => id !== undefined,
  )
  const ensure = (
    kind: Ensure<C>['kind'],
    sentence: string,
    found: AnyFound | undefined,
    changes: readonly Change[],
    unshown?: string,
  ): Ensure<C> => ({
    target: 'resource',
    kind,
    sentence,
    resource,
    found,
    changes,
    likely: found !== undefined && match.whose === 'likely',
    incarnation: [...new Set(incarnation)].sort(),
    ...(unshown !== undefined && { unshown }),
  })
  const waitUntilShown = (found: AnyFound | undefined, unshown: string, id = ''): Ensure<C> =>
    ensure('wait', `wait for ${label}${id === '' ? '' : ` (${id})`} ${unshown}`, found, [], unshown)

  const create = (old: readonly AnyFound[]): readonly PlannedAction<C>[] => {
    const changes = differences(resolved, {}, () => false)
    if (type.create === undefined) return [ensure('missing', `find ${label}`, undefined, [])]
    const going = removals(type, label, old, resource, { replaced: true })
    if (going.length > 0) replaced.add(label)
    return [
      ...going,
      going.length === 0
        ? ensure('create', `create ${label}`, undefined, changes)
        : ensure('replace', `replace ${label}`, undefined, changes),
    ]
  }
  if (chosen === undefined) {
    const { [idKey]: id } = state
    const isUnlisted = id === undefined ? type.remove !== undefined : !dead.some(found => found.id === id)
    if (isUnlisted && isMade(state, idKey, moment)) return [waitUntilShown(undefined, 'to be listed', id)]
    return type.doubles && isCreating(state, idKey, moment)
      ? [waitUntilShown(undefined, 'to be listed, because its creation got no answer')]
      : create(dead)
  }

  const changes = differencesOf(resource, chosen, resolved)
  const standsOn = type.replaces?.some(name => replaced.has(resource.follows.get(name) ?? ''))
  if (!chosen.foreign && (standsOn || (chosen.status === 'ready' && mustReplace(resource, changes)))) {
    if (match.whose === 'likely') {
      passed.push({ type, found: chosen, why: unproved })
      return create(dead)
    }
    if (type.sameId && isMade(state, idKey, moment)) {
      outcomes.set(label, chosen.outcome)
      return [waitUntilShown(chosen, 'to be shown as it was created')]
    }
    incarnation.push(chosen.id)
    return create([chosen, ...dead])
  }
  outcomes.set(label, chosen.outcome)
  const keptAt = resource.idKeyOf(chosen)
  const planned: PlannedAction<C>[] = [...removals(type, label, dead, resource, { replaced: true })]
  if (chosen.status === 'pending') {
    planned.push(ensure('wait', `wait for ${label} to become available`, chosen, changes))
  } else if (changes.length > 0) {
    if (changes.some(({ attribute }) => type.changesOutcome?.(attribute))) incomplete.add(label)
    const sent = changes.filter(
      ({ attribute }) => type.once?.[attribute] !== undefined && isChanging(state, idKey, attribute, moment),
    )
    planned.push(
      sent.length > 0
        ? waitUntilShown(chosen, `to be shown with its new ${listed(sent)}`)
        : ensure('update', `update ${label}`, chosen, changes),
    )
  } else if (keptAt !== undefined && state[keptAt] !== chosen.id) {
    planned.push(ensure('adopt', `adopt ${label} (${chosen.id})`, chosen, []))
  } else if (Object.entries(resource.remembered(chosen)).some(([key, value]) => state[key] !== value)) {
    planned.push(ensure('adopt', `record ${label} in its current state`, chosen, []))
  }
  return planned
}

const listed = (changes: readonly Change[]): string => changes.map(({ attribute }) => attribute).join(' and ')

/**
 * Returns the differences between a desired resource and the found one. Returns none if it cannot be changed or is not
 * ours.
 */
export const differencesOf = <C>(
  { type }: Resource<C>,
  found: AnyFound,
  resolved: Parameters<typeof differences>[0],
): readonly Change[] =>
  found.foreign || (type.update === undefined && type.remove === undefined)
    ? []
    : differences(resolved, found.attributes, attribute => type.owns?.(attribute) ?? false)

/**
 * Returns true if some changes cannot be made in place. A value that is still unknown never causes a deletion: once it
 * is known, the next plan decides.
 */
export const mustReplace = <C>({ type }: Resource<C>, changes: readonly Change[]): boolean =>
  type.remove !== undefined &&
  changes.some(
    ({ attribute, after }) =>
      after !== knownAfterCreate &&
      (type.update === undefined || type.replaces?.includes(attribute) === true),
  )

/**
 * Determines the dependencies of actions and sorts the actions accordingly. A create waits for its needs and for the
 * end of the resource that it replaces. A removal waits for all actions on resources that use it, and for the removal
 * of its dependents, unless they say that they do not use it. If these contradict the needs, the needs take precedence.
 */
const inPlanOrder = <C>(planned: readonly PlannedAction<C>[]): readonly Action<C>[] => {
  const after = new Map<string, Set<string>>(planned.map(({ sentence }) => [sentence, new Set()]))
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return [...(after.get(from) ?? [])].some(next => reaches(next, to, seen))
  }
  const wait = (later: PlannedAction<C>, earlier: PlannedAction<C>): void => {
    if (!reaches(earlier.sentence, later.sentence)) after.get(later.sentence)?.add(earlier.sentence)
  }
  const makers = new Map(
    planned.flatMap(action =>
      action.target === 'resource' ? [[action.resource.label, action] as const] : [],
    ),
  )
  const removers = planned.filter((action): action is Remove<C> => action.target === 'removal')

  for (const maker of makers.values()) {
    for (const label of maker.resource.dependencies) {
      const needed = makers.get(label)
      if (needed !== undefined) wait(maker, needed)
    }
    if (maker.found !== undefined) continue
    for (const old of removers) if (old.resource === maker.resource) wait(maker, old)
  }
  for (const removal of removers)
    for (const other of removers) if (dependsOn(other, removal)) wait(removal, other)
  for (const removal of removers) {
    for (const other of planned) {
      if (other === removal || other.target === 'state' || other.target === 'marks') continue
      if (other.found?.uses?.includes(removal.found.id)) wait(removal, other)
    }
  }
  const [unmarking] = planned.filter(({ target }) => target === 'marks')
  if (unmarking !== undefined) for (const other of planned) if (other !== unmarking) wait(unmarking, other)
  return inOrder(planned.map(action => ({ ...action, after: [...(after.get(action.sentence) ?? [])] })))
}

/**
 * Returns true if a resource must be removed before another one. A need for a value of the other one (a CIDR) blocks
 * nothing: the used ids decide, if the resource reports them.
 */
const dependsOn = <C>({ resource, found: { uses } }: Remove<C>, { resource: other }: Remove<C>): boolean => {
  if (resource === undefined || other === undefined || !resource.dependencies.includes(other.label))
    return false
  return uses === undefined || !resource.required.includes(other.label)
}

const inOrder = <C>(actions: readonly Action<C>[]): readonly Action<C>[] => {
  const bySentence = new Map(actions.map(action => [action.sentence, action]))
  const done = new Set<Action<C>>()
  const visit = (action: Action<C>): void => {
    if (done.has(action)) return
    for (const sentence of action.after) {
      const earlier = bySentence.get(sentence)
      if (earlier !== undefined) visit(earlier)
    }
    done.add(action)
  }
  for (const action of actions) visit(action)
  return [...done]
}
