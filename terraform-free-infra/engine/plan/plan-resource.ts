import type { Timestamp } from '../../../shared/clock/clock.ts'
import { type Change, differences, knownAfterCreate } from '../graph/attributes.ts'
import type { Resource } from '../graph/resource.ts'
import type { AnyFound } from '../graph/resource-type.ts'
import type { State } from '../state.ts'
import type { Ensure, PlannedAction } from './action.ts'
import type { Match } from './match.ts'
import { type Passed, unproved } from './plan-extras.ts'
import { removals } from './plan-removal.ts'
import { goneKey, isFresh } from './waits.ts'

interface PlanResourceInput<C> {
  readonly resource: Resource<C>
  readonly match: Match
  readonly state: State
  readonly now: Timestamp
  /** Collects the outcome of the resource if it exists and is retained. */
  readonly outcomes: Map<string, unknown>
  /** Collects the label of a resource whose outcome is incomplete. */
  readonly unsettled: Set<string>
  /** Collects the label of a resource that is replaced. */
  readonly replaced: Set<string>
  /** Collects conflicting resources that are not proved ours. They are retained, and another resource is created. */
  readonly passed: Passed<C>[]
}

/** Plans the actions for a wanted resource. */
export const planResource = <C>({
  resource,
  match,
  state,
  now,
  outcomes,
  unsettled,
  replaced,
  passed,
}: PlanResourceInput<C>): readonly PlannedAction<C>[] => {
  const { type, label, idKey } = resource
  const { chosen, dead } = match
  const resolved = resource.desired(outcomes, unsettled)
  const incarnation = [state[idKey], state[goneKey(idKey)], ...dead.map(({ id }) => id)].filter(
    id => id !== undefined,
  )
  const ensure = (
    kind: Ensure<C>['kind'],
    sentence: string,
    found: AnyFound | undefined,
    changes: readonly Change[],
  ): Ensure<C> => ({
    target: 'resource',
    kind,
    sentence,
    resource,
    found,
    changes,
    likely: found !== undefined && match.whose === 'likely',
    incarnation: [...new Set(incarnation)].sort(),
  })

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
    const unseen = id !== undefined && !dead.some(found => found.id === id) && isFresh(state, idKey, now)
    return unseen ? [ensure('wait', `wait for ${label} (${id}) to be listed`, undefined, [])] : create(dead)
  }

  const changes = differencesOf(resource, chosen, resolved)
  const standsOn = type.replaces?.some(name => replaced.has(resource.follows.get(name) ?? ''))
  if (!chosen.foreign && (standsOn || (chosen.status === 'ready' && mustReplace(resource, changes)))) {
    if (match.whose === 'likely') {
      passed.push({ type, found: chosen, why: unproved })
      return create(dead)
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
    if (changes.some(({ attribute }) => type.changesOutcome?.(attribute))) unsettled.add(label)
    planned.push(ensure('update', `update ${label}`, chosen, changes))
  } else if (keptAt !== undefined && state[keptAt] !== chosen.id) {
    planned.push(ensure('adopt', `adopt ${label} (${chosen.id})`, chosen, []))
  } else if (Object.entries(resource.remembered(chosen)).some(([key, value]) => state[key] !== value)) {
    planned.push(ensure('adopt', `record ${label} in its current state`, chosen, []))
  }
  return planned
}

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
