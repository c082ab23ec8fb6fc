import type { Clock } from '../../../shared/clock/clock.ts'
import type { State } from '../state.ts'
import type { Attributes, Change } from './attributes.ts'
import type { Read } from './observation.ts'

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
  readonly keep?: string
  /**
   * Ids of resources that it does not use directly, but requires to work. An extra that another resource requires is
   * retained.
   */
  readonly refersTo?: readonly string[]
}

export interface ListContext<C> {
  readonly cloud: C
  readonly state: State
  /** Returns the result of an observation. All readers share one result. */
  readonly read: Read<C>
}

export interface CallContext<C> {
  readonly cloud: C
  /** Aborts when the time of the action or the step is over. */
  readonly signal: AbortSignal
  /** The engine calls it before the first write of a call. Call it before each further write. */
  readonly throwIfExpired: () => void
  readonly clock: Clock
}

export interface CreateContext<C, A, N> extends CallContext<C> {
  readonly name: string
  readonly key: string
  readonly attributes: A
  readonly needs: N
  /** The same for every attempt to create this incarnation of the resource. 32 hexadecimal digits. */
  readonly token: string
}

export interface UpdateContext<C, A, O, N> extends CallContext<C> {
  readonly name: string
  readonly found: Found<A, O>
  /** Only the attributes that differ. */
  readonly changes: readonly Change[]
  readonly attributes: A
  readonly needs: N
}

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
  /**
   * Removes the resource. `going`: accepted, but not gone yet. If absent, the resource disappears with another one.
   */
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
   * True if the cloud deletes it regardless of its dependents in the graph. Its removal takes long, so it starts at
   * once. It still waits for resources that use it.
   */
  readonly goesFirst?: boolean
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
