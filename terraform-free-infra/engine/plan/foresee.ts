import { type Attributes, type Change, differences, knownAfterCreate } from '../graph/attributes.ts'
import type { Outcomes, Resource } from '../graph/resource.ts'
import type { Action, Plan } from './action.ts'

/**
 * The changes of a plan's actions for people: where a value follows from what is yet to be made and is sure already
 * (the name of a role, the CIDR of a subnet), it takes the place of `knownAfterCreate`. Nothing is done by them.
 */
export const foresee = <C>({ actions, outcomes }: Plan<C>): ((action: Action<C>) => readonly Change[]) => {
  const known = new Map(outcomes)
  const shown = new Map<Action<C>, readonly Change[]>()
  for (const action of actions) {
    if (action.target !== 'resource' || (action.kind !== 'create' && action.kind !== 'replace')) continue
    const { resource } = action
    const attributes = attributesOf(resource, known)
    const changes = action.changes.some(({ after }) => after === knownAfterCreate)
      ? differences({ attributes: attributes ?? {}, complete: attributes !== undefined }, {}, () => false)
      : action.changes
    shown.set(action, changes)
    known.set(resource.label, outcomeOf(resource, changes))
  }
  return action => shown.get(action) ?? action.changes
}

/** Undefined while not even their names are known. */
const attributesOf = <C>(resource: Resource<C>, known: Outcomes) => {
  try {
    const { attributes, complete } = resource.desired(known)
    return complete ? attributes : undefined
  } catch (error) {
    // A symbol stands for what is not known; whoever makes a text of it finds that it is none.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The outcome of what is yet to be made: all that is not foreseen reads as `knownAfterCreate`. */
const outcomeOf = <C>({ type, name }: Resource<C>, changes: readonly Change[]): unknown => {
  const attributes: Attributes = Object.fromEntries(
    changes.flatMap(({ attribute, after }) =>
      typeof after === 'symbol' || after === undefined ? [] : [[attribute, after]],
    ),
  )
  const foreseen: object = type.foreseen?.({ name, attributes }) ?? {}
  return new Proxy(foreseen, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : knownAfterCreate),
  })
}
