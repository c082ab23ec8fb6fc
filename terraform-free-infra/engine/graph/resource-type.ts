import type { Clock } from '../../../shared/clock/clock.ts'
import type { State } from '../state.ts'

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
export const completeAttributes = (
  label: string,
  { attributes, complete }: ResolvedAttributes,
): Attributes => {
  const known: Record<string, Value> = {}
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === knownAfterCreate) throw new TypeError(`${label}: ${attribute} is not known yet`)
    if (value !== undefined) known[attribute] = value
  }
  if (!complete) throw new TypeError(`${label}: its attributes are not known yet`)
  return known
}

/** One read of the cloud that serves many resources: a list, filtered by the cloud if possible. */
export interface Observation<C, T> {
  readonly name: string
  observe(context: {
    readonly cloud: C
    readonly state: State
    readonly signal: AbortSignal
    /**
     * True if the read only checks for created or deleted resources, during a step or a wait. Facts that the plan
     * already proved are not proved again.
     */
    readonly polling?: boolean
    /** Reads another observation whose need is only known now, such as the VPC for its default group. */
    readonly read: Read<C>
  }): Promise<T>
}

/** Returns the result of an observation, and reads it at most once. */
export type Read<C> = <T>(observation: Observation<C, T>) => Promise<T>

/**
 * Returns a function that reads each observation once, at the first request. Independent observations run concurrently.
 * Create one reader per complete read of the cloud.
 *
 * @example
 * const read = reader({ cloud, state, signal })
 * const all = await read({ name: 'networks', observe: ({ cloud }) => cloud.networks() })
 * await planGraph({ graph, cloud, state, clock, signal, read })
 */
export const reader = <C>(context: {
  readonly cloud: C
  readonly state: State
  readonly signal: AbortSignal
  readonly polling?: boolean
}): Read<C> => {
  const made = new Map<unknown, Promise<unknown>>()
  const read: Read<C> = <T>(observation: Observation<C, T>): Promise<T> => {
    const known = made.get(observation)
    // The map holds the result of each observation under that observation.
    if (known !== undefined) return known as Promise<T>
    const reading = observation.observe({ ...context, read })
    made.set(observation, reading)
    return reading
  }
  return read
}

/**
 * The status of a found resource. `failed`: unusable, must be replaced. `deleting`: still exists, but is being deleted.
 * `gone`: deleted but still listed, as EC2 does with a deleted NAT gateway for about an hour.
 */
export type FoundStatus = 'ready' | 'pending' | 'failed' | 'deleting' | 'gone'

/**
 * A cloud resource that is or may be ours. It is proved ours if the state records it, if it carries the mark of the
 * object, or if its type says so. Only proved resources are ever deleted.
 */
export interface Found<A, O> {
  readonly id: string
  /** Identifies the resource of the graph if the state does not: a name tag, a zone and CIDR. */
  readonly key: string
  readonly status: FoundStatus
  /** The cloud's message about a failure, with Gardener's codes if it has any. */
  readonly failure?: Error
  readonly attributes: { readonly [K in keyof A]?: A[K] | undefined }
  /** The values for the resources that need this one. */
  readonly outcome: O
  /** Ids of the resources that it uses. They are deleted after it. */
  readonly uses?: readonly string[]
  /** A foreign resource that is only looked up, and never changed or deleted. */
  readonly foreign?: boolean
  /**
   * The reason why it is ours although the state does not record it. `proved`: only this object can have created it.
   * `likely`: it looks like ours and is in a place where only ours should be. A missing resource adopts it, but if it
   * is an extra, it is retained. Absent and without a mark: it may be foreign, so it is reported and retained.
   */
  readonly ours?: 'proved' | 'likely'
  /**
   * The id by which the mark can be removed. The create call set the mark, and no resource of another object has it.
   */
  readonly mark?: string
  /**
   * The reason why it is retained when it is no longer desired, as the end of a sentence: `it may hold data`. It is
   * deleted when the whole graph is destroyed.
   */
  readonly retain?: string
  /**
   * Ids of resources that it does not use directly, but requires to work. An extra that another resource requires is
   * retained.
   */
  readonly refersTo?: readonly string[]
  /** True if the create call was sent more than once, so it may have made another resource. */
  readonly repeated?: boolean
}

/** The input of `list`. */
export interface ListContext<C> {
  readonly cloud: C
  readonly state: State
  /** Returns the result of an observation. All readers share one result. */
  readonly read: Read<C>
}

/** The input of each call that changes a resource. */
export interface CallContext<C> {
  readonly cloud: C
  /** Aborts when the time of the action or the step is over. */
  readonly signal: AbortSignal
  /** The engine calls it before the first write of a call. Call it before each further write. */
  readonly throwIfExpired: () => void
  readonly clock: Clock
}

/** The input of `create`. */
export interface CreateContext<C, A, N> extends CallContext<C> {
  readonly name: string
  readonly key: string
  readonly attributes: A
  readonly needs: N
  /** The same for every attempt to create this incarnation of the resource. 32 hexadecimal digits. */
  readonly token: string
}

/** The input of `update`. */
export interface UpdateContext<C, A, O, N> extends CallContext<C> {
  readonly name: string
  readonly found: Found<A, O>
  /** Only the attributes that differ. */
  readonly changes: readonly Change[]
  readonly attributes: A
  readonly needs: N
}

/** The input of `remove`. */
export interface RemoveContext<C, A, O> extends CallContext<C> {
  readonly found: Found<A, O>
}

/** The needs of a resource without needs. */
export type NoNeeds = Readonly<Record<never, never>>

/**
 * A resource type: how its resources are listed, created, updated and removed. `C` is the provider's cloud, `A` the
 * attributes, `O` the outcome, `N` the outcomes of its needs by name (`A` and `N` as type aliases).
 */
export interface ResourceType<
  C,
  A extends Attributes,
  O,
  N extends Readonly<Record<string, unknown>> = NoNeeds,
> {
  /** The noun for sentences: `NAT gateway`. */
  readonly what: string
  /** Returns all resources of this type that are ours, from shared observations. */
  list(context: ListContext<C>): Promise<readonly Found<A, O>[]>
  /**
   * Creates the resource with its mark in the same call. Attributes that this call cannot set are left to `update`: the
   * returned attributes are compared with the desired ones. If absent, the resource must exist.
   */
  create?(context: CreateContext<C, A, N>): Promise<Found<A, O>>
  /**
   * Updates in place. If absent, differences replace the resource. Returns undefined if only the given changes took
   * effect.
   */
  update?(context: UpdateContext<C, A, O, N>): Promise<Found<A, O> | undefined>
  /** Removes the resource. `going`: accepted, but not gone yet. If absent, the resource disappears with another one. */
  remove?(context: RemoveContext<C, A, O>): Promise<'gone' | 'going'>
  /**
   * Attributes that cannot be changed in place, and needs that it is built on. If such a need is replaced, this
   * resource is replaced too.
   */
  readonly replaces?: readonly ((keyof A | keyof N) & string)[]
  /** True if a created resource carries the mark of the object until all desired resources are recorded. */
  readonly marks?: boolean
  /**
   * Returns true if a removal that failed with this error is retried until `waitLimitMs`, although the cloud does not
   * report it as busy.
   */
  retriesRemoval?(error: unknown): boolean
  /**
   * Returns true for attributes that are removed if they are not desired. If absent, attributes that others added are
   * retained.
   */
  owns?(attribute: string): boolean
  /**
   * Returns true for attributes that add a missing value to the outcome (the IPv6 block of a VPC), so that a plan shows
   * the consequences. In any case, the engine plans again if an outcome differs from the plan.
   */
  changesOutcome?(attribute: string): boolean
  /**
   * Returns the parts of the outcome that are certain before the create: the CIDR of a subnet, not its id. They are
   * shown in a plan but never used for a change. Default: none.
   */
  foreseen?(resolved: { readonly name: string; readonly attributes: Partial<A> }): Partial<O>
  /**
   * Attributes of an effect that a repeated change repeats (a further IPv6 block), and whether the create call sets
   * them, too. Until the cloud must show a change of one of them, none of them is sent again.
   */
  readonly once?: Readonly<Record<string, 'by create' | 'by update'>>
  /**
   * True if a repeated create makes a second resource. After a create without an answer, the engine waits until the
   * cloud lists its resource or must list it.
   */
  readonly doubles?: boolean
  /** True if a recreated resource has the id of the former one, so the cloud may still show the former one under it. */
  readonly sameId?: boolean
  /**
   * Returns true for state keys that hold ids of this type, including resources no longer in the graph. Default: keys
   * that begin with `what`, as labels do.
   */
  remembers?(stateKey: string): boolean
  /**
   * True if a create takes effect once per token. The id of a removed resource is stored (`Gone/…`), so that the next
   * create has another token. A cloud would refuse a used token, or return the former resource.
   */
  readonly usesToken?: boolean
  /** Milliseconds between two reads of a pending or disappearing resource. Default: 5 s. */
  readonly pollMs?: number
  /** Milliseconds from the create or update call to the first read. Default: `pollMs`. */
  readonly firstPollMs?: number
  /** Milliseconds from the removal to the first read. Default: `firstPollMs`. */
  readonly firstGonePollMs?: number
  /**
   * The longest wait of a step for the resource to become ready or gone, in milliseconds. Default: 0, which ends the
   * step at once.
   */
  readonly patienceMs?: number
  /** Time limit for one action's own work, without waits for saves, in milliseconds. Default: 15 s. */
  readonly timeoutMs?: number
  /** Longest wait before it becomes an error, in milliseconds. Default: 10 min. */
  readonly waitLimitMs?: number
}

/** A resource type with erased type parameters, for the engine. */
export type AnyType<C> = ResourceType<C, Attributes, unknown, Readonly<Record<string, unknown>>>
export type AnyFound = Found<Attributes, unknown>

/** Returns true if a state key holds an id of the type. */
export const remembers = <C>(type: AnyType<C>, key: string): boolean =>
  type.remembers?.(key) ?? (key === type.what || key.startsWith(`${type.what} `))
