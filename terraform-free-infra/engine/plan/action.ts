import type { ActionError } from '../error-kind.ts'
import type { Change } from '../graph/attributes.ts'
import type { Unmark } from '../graph/graph.ts'
import type { Resource } from '../graph/resource.ts'
import type { AnyFound, AnyType } from '../graph/resource-type.ts'

export type ActionKind =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  | 'wait'
  | 'adopt'
  | 'forget'
  /** Not there, and not ours to create. */
  | 'missing'

interface Common {
  /** Says it to people, and is its name in the plan. */
  readonly sentence: string
  readonly changes: readonly Change[]
}

/** Makes a resource of the graph so, or waits until it is. */
export interface Ensure<C> extends Common {
  readonly kind: 'create' | 'update' | 'replace' | 'wait' | 'adopt' | 'missing'
  readonly target: 'resource'
  readonly resource: Resource<C>
  /** What is there already. */
  readonly found: AnyFound | undefined
  /** What is there is only likely ours: it is recorded once it has turned out to be what is desired. */
  readonly likely: boolean
  /** Ids that have been this resource: makes the token of a create. */
  readonly incarnation: readonly string[]
}

/** Removes a thing, or waits until it is gone. */
export interface Remove<C> extends Common {
  readonly kind: 'delete' | 'wait'
  readonly target: 'removal'
  readonly label: string
  readonly type: AnyType<C>
  readonly found: AnyFound
  /** The resource that it is, or was. */
  readonly resource: Resource<C> | undefined
  /** Another one takes its place: the state keeps its id until then. */
  readonly replaced: boolean
  /** Nothing fails for it: what the cloud does not let go is in use, and left alone. */
  readonly optional: boolean
}

/** Takes away the marks of all that was made, once it is recorded. */
export interface Unmarking extends Common {
  readonly kind: 'update'
  readonly target: 'marks'
  /** The marks of what was made before, by the ids of what carries them. */
  readonly marks: ReadonlyMap<string, string>
}

/** What is left alone although it looks like ours. */
export interface LeftAlone {
  /** What it is, with its key: `route table shoot--foo--bar`. */
  readonly label: string
  readonly id: string
  /** Why, as the end of a sentence: `nothing proves that it is ours`. */
  readonly why: string
}

/** Removes keys from the state: what they stand for is no more, and not wanted. Or waits, as it may not be listed yet. */
export interface Forget extends Common {
  readonly kind: 'forget' | 'wait'
  readonly target: 'state'
  readonly keys: readonly string[]
  /** What to write in their place. */
  readonly instead: Readonly<Record<string, string>>
}

export type PlannedAction<C> = Ensure<C> | Remove<C> | Forget | Unmarking

export type Action<C> = PlannedAction<C> & {
  /** Sentences of the actions that have to be done before. */
  readonly after: readonly string[]
}

export interface Plan<C> {
  /** In an order in which each comes after those it waits for. */
  readonly actions: readonly Action<C>[]
  /** Outcomes of what is there and stays. */
  readonly outcomes: ReadonlyMap<string, unknown>
  readonly destroying: boolean
  /** What looks like ours and stays as it is. */
  readonly left: readonly LeftAlone[]
  /** What has failed since a step began to wait for it: it is replaced, and told unless that is done at once. */
  readonly failures: readonly ActionError[]
  readonly unmark: Unmark<C> | undefined
  /** How many resources the graph wants, or when destroying, knows. */
  readonly size: number
}
