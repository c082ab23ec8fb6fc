/** What a cloud can be asked to have, in the form in which the cloud gives it back (canonical CIDRs, sorted policies). */
export type Value = string | number | boolean

/**
 * Flat attributes of a resource. Sets are flattened into keys, so that each member is compared, shown and changed by
 * itself: `{ 'route 0.0.0.0/0': 'nat-1', 'tag Name': 'foo' }`. Undefined: not managed.
 */
export type Attributes = Readonly<Record<string, Value | undefined>>

/** A value that stands in the outcome of another resource: `vpc.get(({ id }) => id)`. */
export interface Later<T> {
  /** The label of the resource. */
  readonly later: string
  select(outcome: unknown): T
}

/** Attributes as they are desired of a resource: values, and values of other resources. */
export type DesiredAttributes<A> = { readonly [K in keyof A]: A[K] | Later<A[K]> }

/** Stands in a plan for what only exists once another resource does. */
export const knownAfterCreate: unique symbol = Symbol('known after create')
export type PlannedValue = Value | typeof knownAfterCreate

/** What is desired, with what is known of it now. */
export interface ResolvedAttributes {
  readonly attributes: Readonly<Record<string, PlannedValue | undefined>>
  /** False: not even which attributes there will be is known. */
  readonly complete: boolean
}

/** One attribute that differs. `before` undefined: it is not there; `after` undefined: it goes. */
export interface Change {
  readonly attribute: string
  readonly before: Value | undefined
  readonly after: PlannedValue | undefined
}

export const isLater = (value: unknown): value is Later<Value | undefined> =>
  typeof value === 'object' && value !== null && 'later' in value

/**
 * What differs between what is desired and what is there, sorted by attribute. An attribute that is there and not desired is
 * left alone unless `owns` says that it is ours.
 */
export const differences = (
  resolved: ResolvedAttributes,
  present: Attributes,
  owns: (attribute: string) => boolean,
): readonly Change[] => {
  if (!resolved.complete) return [{ attribute: 'attributes', before: undefined, after: knownAfterCreate }]
  const extra = Object.keys(present).filter(
    key => present[key] !== undefined && resolved.attributes[key] === undefined && owns(key),
  )
  const wanted = Object.keys(resolved.attributes).filter(key => {
    const after = resolved.attributes[key]
    return after !== undefined && after !== present[key]
  })
  return [...extra, ...wanted].sort().map(attribute => ({
    attribute,
    before: present[attribute],
    after: resolved.attributes[attribute],
  }))
}

/** What is desired, once all of it is known; throws when some of it is not, which would be a mistake in the order of things. */
export const settled = (label: string, { attributes, complete }: ResolvedAttributes): Attributes => {
  const known: Record<string, Value> = {}
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === knownAfterCreate) throw new TypeError(`${label}: ${attribute} is not known yet`)
    if (value !== undefined) known[attribute] = value
  }
  if (!complete) throw new TypeError(`${label}: its attributes are not known yet`)
  return known
}
