/** A desired value, in the form in which the cloud returns it (canonical CIDRs, sorted policies). */
export type Value = string | number | boolean

/**
 * Flat attributes of a resource. Sets are flattened into keys, so that each member is compared, shown and changed
 * separately: `{ 'route 0.0.0.0/0': 'nat-1', 'tag Name': 'foo' }`. Undefined attributes are not managed.
 */
export type Attributes = Readonly<Record<string, Value | undefined>>

/** A value in the outcome of another resource: `vpc.get(({ id }) => id)`. */
export interface Later<T> {
  /** The label of the resource. */
  readonly later: string
  select(outcome: unknown): T
}

/** The desired attributes of a resource: values, and references to values of other resources. */
export type DesiredAttributes<A> = { readonly [K in keyof A]: A[K] | Later<A[K]> }

/** Marks a value in a plan that exists only once another resource is created. */
export const knownAfterCreate: unique symbol = Symbol('known after create')
export type PlannedValue = Value | typeof knownAfterCreate

/** The desired attributes, as far as they are known now. */
export interface ResolvedAttributes {
  readonly attributes: Readonly<Record<string, PlannedValue | undefined>>
  /** False if not even the set of attributes is known. */
  readonly complete: boolean
}

/** One attribute that differs. `before` is undefined if it is absent; `after` is undefined if it is removed. */
export interface Change {
  readonly attribute: string
  readonly before: Value | undefined
  readonly after: PlannedValue | undefined
}

export const isLater = (value: unknown): value is Later<Value | undefined> =>
  typeof value === 'object' && value !== null && 'later' in value

/**
 * Returns the differences between desired and present attributes, sorted by attribute. A present attribute that is not
 * desired is ignored unless `owns` returns true.
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

/**
 * Returns the desired attributes once all of them are known. Throws if one is unknown, which is a bug in the order of
 * actions.
 */
export const settled = (label: string, { attributes, complete }: ResolvedAttributes): Attributes => {
  const known: Record<string, Value> = {}
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === knownAfterCreate) throw new TypeError(`${label}: ${attribute} is not known yet`)
    if (value !== undefined) known[attribute] = value
  }
  if (!complete) throw new TypeError(`${label}: its attributes are not known yet`)
  return known
}
