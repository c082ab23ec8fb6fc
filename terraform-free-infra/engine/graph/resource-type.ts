import type { Clock } from '../../../shared/clock/clock.ts'
import type { State } from '../state.ts'
import type { Attributes, Change } from './attributes.ts'
import type { Read } from './observation.ts'

/**
 * How a found thing is. `failed`: unusable, it has to be replaced. `deleting`: still there, on its way out. `gone`:
 * the cloud still lists it, as EC2 does with a deleted NAT gateway for about an hour.
 */
export type FoundStatus = 'ready' | 'pending' | 'failed' | 'deleting' | 'gone'

/**
 * A thing of the cloud that is ours, or may be. Proved to be ours is what the state records, what carries the mark of the
 * object, and what the type says so of. Only that is ever deleted (design: nothing is deleted that is not proved ours).
 */
export interface Found<A, O> {
  readonly id: string
  /** Says which resource of the graph it is when the state does not: a name tag, a zone and CIDR. */
  readonly key: string
  readonly status: FoundStatus
  /** What the cloud says about a failure, with Gardener's codes where it has any. */
  readonly failure?: Error
  readonly attributes: { readonly [K in keyof A]?: A[K] | undefined }
  /** What the resources that need this one get. */
  readonly outcome: O
  /** Ids of what it stands on: that is deleted after it. */
  readonly uses?: readonly string[]
  /** Somebody else's, only looked up: never changed and never deleted. */
  readonly foreign?: boolean
  /**
   * Why it is ours although the state does not record it. `proved`: nobody else can have made it. `likely`: it looks like
   * ours and is where only ours should be: a resource that is missing adopts it, but as an extra it is left alone.
   * Absent, without a mark: it may as well be somebody else's; it is told, and left alone.
   */
  readonly ours?: 'proved' | 'likely'
  /**
   * It carries the mark that the call which made it gave it, and which no other object's things have. This is the id by
   * which the mark can be taken away.
   */
  readonly mark?: string
  /**
   * Why it stays when nothing wants it any more, as the end of a sentence: `it may hold data`. It goes when everything is
   * destroyed.
   */
  readonly keep?: string
  /** Ids of what it does not stand on, but would not work without: an extra that something needs is left alone. */
  readonly refersTo?: readonly string[]
}

export interface ListContext<C> {
  readonly cloud: C
  readonly state: State
  /** The result of an observation; made once for all that ask. */
  readonly read: Read<C>
}

export interface CallContext<C> {
  readonly cloud: C
  /** Aborts when the action's or the step's time is over. */
  readonly signal: AbortSignal
  /** The engine calls it before the first write of a call; call it before each further one. */
  readonly throwIfExpired: () => void
  readonly clock: Clock
}

export interface CreateContext<C, A, N> extends CallContext<C> {
  readonly name: string
  readonly key: string
  readonly attributes: A
  readonly needs: N
  /** The same in every attempt to make this incarnation of the resource: 32 hexadecimal digits. */
  readonly token: string
}

export interface UpdateContext<C, A, O, N> extends CallContext<C> {
  readonly name: string
  readonly found: Found<A, O>
  /** What differs, and nothing else. */
  readonly changes: readonly Change[]
  readonly attributes: A
  readonly needs: N
}

export interface RemoveContext<C, A, O> extends CallContext<C> {
  readonly found: Found<A, O>
}

/** The needs of a resource that needs nothing. */
export type NoNeeds = Readonly<Record<never, never>>

/**
 * A type of resource: how all of it is found, and how one is made, changed and removed. `C` is the provider's cloud,
 * `A` the attributes, `O` the outcome, `N` the outcomes that it needs by name (`A` and `N` as type aliases).
 */
export interface ResourceType<
  C,
  A extends Attributes,
  O,
  N extends Readonly<Record<string, unknown>> = NoNeeds,
> {
  /** What it is in a sentence: `NAT gateway`. */
  readonly what: string
  /** Everything of this type that is ours, from shared observations. */
  list(context: ListContext<C>): Promise<readonly Found<A, O>[]>
  /**
   * Makes it, marked as ours in the same call. What cannot be said in that call is left to `update`: the attributes it
   * returns are compared with what is desired. Absent: it must exist.
   */
  create?(context: CreateContext<C, A, N>): Promise<Found<A, O>>
  /** Absent: whatever differs, it is replaced. Undefined: as before, with the changes made. */
  update?(context: UpdateContext<C, A, O, N>): Promise<Found<A, O> | undefined>
  /** `going`: accepted, but it takes a while until it is gone. Absent: it vanishes with something else. */
  remove?(context: RemoveContext<C, A, O>): Promise<'gone' | 'going'>
  /**
   * Attributes that cannot be changed in place, and needs that it stands on: when what gives such a need is replaced,
   * so is this.
   */
  readonly replaces?: readonly ((keyof A | keyof N) & string)[]
  /** What it makes carries the mark of the object, until all that is desired is recorded. */
  readonly marks?: boolean
  /**
   * Whether a removal that was refused with this error is to be tried again, though the cloud does not call it busy: until
   * `waitLimitMs` is over.
   */
  retriesRemoval?(error: unknown): boolean
  /** Attributes that are ours to remove when they are not desired. Absent: none, what others added survives. */
  owns?(attribute: string): boolean
  /**
   * Attributes whose change gives the outcome a value that it lacked (the IPv6 block of a VPC), so that a plan shows
   * what follows. Whatever it says, an outcome that turns out differently makes the engine plan once more.
   */
  changesOutcome?(attribute: string): boolean
  /**
   * What its outcome is sure to have before it is made, to be shown in a plan and never acted on: the CIDR of a subnet,
   * not its id. Absent: nothing.
   */
  foreseen?(resolved: { readonly name: string; readonly attributes: Partial<A> }): Partial<O>
  /**
   * The cloud lets it go whatever depends on it in the graph, so its removal, which takes long, begins at once. It still
   * waits for what it is used by.
   */
  readonly goesFirst?: boolean
  /**
   * State keys that hold ids of this type, also of resources no longer in the graph. Absent: those that begin with
   * `what`, as labels do.
   */
  remembers?(stateKey: string): boolean
  /**
   * Its create is made once for each token. What has been it is remembered when it goes (`Gone/…`), so that the next one
   * gets another token: a cloud would refuse an old one, or answer with what it has made then.
   */
  readonly usesToken?: boolean
  /** Between two reads at what is pending or going, in ms; 5 s when absent. */
  readonly pollMs?: number
  /** From the call that began it to the first read, in ms; `pollMs` when absent. */
  readonly firstPollMs?: number
  /** From its removal to the first read, in ms; `firstPollMs` when absent. */
  readonly firstGonePollMs?: number
  /** How long a step stays for it to become ready or gone, in ms; 0 when absent: the step ends at once. */
  readonly patienceMs?: number
  /** Limit of one action's own work, without waiting for saves, in ms; 15 s when absent. */
  readonly timeoutMs?: number
  /** Waiting longer than this is an error, in ms; 10 min when absent. */
  readonly waitLimitMs?: number
}

/** A type whose own types the engine need not know. */
export type AnyType<C> = ResourceType<C, Attributes, unknown, Readonly<Record<string, unknown>>>
export type AnyFound = Found<Attributes, unknown>

/** Whether a key of the state is for an id of the type. */
export const remembers = <C>(type: AnyType<C>, key: string): boolean =>
  type.remembers?.(key) ?? (key === type.what || key.startsWith(`${type.what} `))
