import type { Outcomes, Resource } from '../graph/graph.ts'
import { type Attributes, type Change, differences, knownAfterCreate } from '../graph/resource-type.ts'
import type { Action, Plan } from './action.ts'

/**
 * Returns the changes of a plan's actions for users. A certain value of a resource that is yet to be created (the name
 * of a role, the CIDR of a subnet) replaces `knownAfterCreate`. Actions never use these changes.
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

/** Undefined while not even the attribute names are known. */
const attributesOf = <C>(resource: Resource<C>, known: Outcomes) => {
  try {
    const { attributes, complete } = resource.desired(known)
    return complete ? attributes : undefined
  } catch (error) {
    // An unknown value is a symbol. Converting it to text throws this error.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The outcome of a resource that is yet to be created. All values that are not foreseen read as `knownAfterCreate`. */
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
