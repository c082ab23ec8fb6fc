import type { ActionError } from '../error-kind.ts'
import type { GraphHooks, Resource } from '../graph/graph.ts'
import type { AnyFound, AnyType, Change } from '../graph/resource-type.ts'

/** The effect of an action on its resource. */
export type ActionKind =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  | 'wait'
  | 'adopt'
  | 'forget'
  /** Does not exist, and is not ours to create. */
  | 'missing'

interface Common {
  /** Describes the action for users. Also its unique name in the plan. */
  readonly sentence: string
  readonly changes: readonly Change[]
}

/** Ensures a resource of the graph, or waits until it is ready. */
export interface Ensure<C> extends Common {
  readonly kind: 'create' | 'update' | 'replace' | 'wait' | 'adopt' | 'missing'
  readonly target: 'resource'
  readonly resource: Resource<C>
  /** The existing resource. */
  readonly found: AnyFound | undefined
  /** True if the existing resource is only likely ours. It is recorded once it matches the desired one. */
  readonly likely: boolean
  /** Ids that this resource has had. Part of the token of a create. */
  readonly incarnation: readonly string[]
  /** With `wait`: what the cloud does not show yet, as the end of a sentence: `to be listed`. */
  readonly unshown?: string
}

/** Removes a resource, or waits until it is gone. */
export interface Remove<C> extends Common {
  readonly kind: 'delete' | 'wait'
  readonly target: 'removal'
  readonly label: string
  readonly type: AnyType<C>
  readonly found: AnyFound
  /** The current or former resource of the graph. */
  readonly resource: Resource<C> | undefined
  /** True if another one replaces it. The state retains its id until then. */
  readonly replaced: boolean
  /** True if it causes no failure. If the cloud refuses to delete it, it is in use and retained. */
  readonly optional: boolean
}

/** Removes the marks of all created resources once they are recorded. */
export interface Unmarking extends Common {
  readonly kind: 'update'
  readonly target: 'marks'
  /** The marks of resources created earlier, by resource id. */
  readonly marks: ReadonlyMap<string, string>
}

/** A retained resource that looks like ours. */
export interface RetainedThing {
  /** The noun and key: `route table shoot--foo--bar`. */
  readonly label: string
  readonly id: string
  /** The reason, as the end of a sentence: `no record or tag shows that it belongs to this object`. */
  readonly why: string
}

/**
 * Removes keys from the state for resources that no longer exist and are not wanted. Or waits, because a resource may
 * not be listed yet.
 */
export interface Forget extends Common {
  readonly kind: 'forget' | 'wait'
  readonly target: 'state'
  readonly keys: readonly string[]
  /** The keys to write instead. */
  readonly instead: Readonly<Record<string, string>>
}

export type PlannedAction<C> = Ensure<C> | Remove<C> | Forget | Unmarking

/** A planned action, with the actions that must be done before it. */
export type Action<C> = PlannedAction<C> & {
  /** Sentences of the actions that must be done before. */
  readonly after: readonly string[]
}

/** The actions of a step, and the facts that they come from. */
export interface Plan<C> {
  /** Sorted so that each action follows its dependencies. */
  readonly actions: readonly Action<C>[]
  /** Outcomes of existing resources that remain. */
  readonly outcomes: ReadonlyMap<string, unknown>
  readonly destroying: boolean
  /** Retained resources that look like ours. */
  readonly left: readonly RetainedThing[]
  /**
   * Resources that failed while a step waited for them. They are replaced, and reported unless that succeeds at once.
   */
  readonly failures: readonly ActionError[]
  readonly hooks: GraphHooks<C>
  /** The number of resources that the graph wants or, when destroying, knows. */
  readonly size: number
}
