import type { Graph } from '../graph/graph.ts'
import type { Resource } from '../graph/resource.ts'
import type { Action, PlannedAction, Remove } from './action.ts'

/**
 * Determines the dependencies of actions and sorts the actions accordingly. A create waits for its needs and for the
 * end of the resource that it replaces. A removal waits for the removal of its dependents, unless `goesFirst`, and for
 * all actions on resources that use it. If the last two contradict the needs, the needs take precedence.
 */
export const inPlanOrder = <C>(
  planned: readonly PlannedAction<C>[],
  graph: Graph<C>,
): readonly Action<C>[] => {
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
  for (const removal of removers) {
    const { resource, type } = removal
    const dependents = resource === undefined || type.goesFirst ? [] : dependentsOf(graph, resource.label)
    for (const other of removers) {
      if (other.resource !== undefined && dependents.includes(other.resource)) wait(removal, other)
    }
  }
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

/** Returns all direct and indirect dependents of a resource, even through resources that no longer exist. */
const dependentsOf = <C>({ resources }: Graph<C>, label: string): readonly Resource<C>[] => {
  const labels = new Set([label])
  // Each resource follows its dependencies, so one pass finds all.
  return resources.filter(resource => {
    if (!resource.dependencies.some(needed => labels.has(needed))) return false
    labels.add(resource.label)
    return true
  })
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
