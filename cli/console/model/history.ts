import type { Call } from '../../../shared/journal/journal.ts'
import type { NodeState, TreeNode } from '../../observe/observe.ts'

/** The place of the entry in the journal, from 1. A page that has lost its connection continues after its last one. */
export interface Numbered {
  readonly n: number
  /** In ms since 1970. */
  readonly at: number
}

export type FlatNode = Omit<TreeNode, 'children' | 'id'>

/** A node of a shoot's tree from `at` until the next version with its id. Without `node` it does not exist. */
export interface NodeVersion extends Numbered {
  readonly id: string
  readonly parent?: string
  /** Its place among the children of its parent. */
  readonly order?: number
  readonly node?: FlatNode
}

/** A step of an object. `at` is its begin. */
export interface StepBar extends Numbered {
  readonly object: string
  readonly ms: number
  readonly function: string
  readonly operation: string
  readonly event: string
  readonly outcome: string
  readonly reason?: string | undefined
  readonly calls: readonly Call[]
  readonly lost?: number | undefined
}

/** An event that the bridge sent. */
export interface EventMark extends Numbered {
  readonly id: string
  readonly object: string
  readonly operation: string
  readonly reason?: string
}

/** An Event of Kubernetes about an object. Times are in ms since 1970. */
export interface ListedEvent {
  readonly isWarning: boolean
  readonly reason: string
  readonly message: string
  /** The component that wrote it. */
  readonly by: string
  readonly count: number
  readonly first: number
  readonly last: number
}

/** An action before anything is written, as a page shows it. */
export interface ShownAction {
  /** The request to write it names this id. */
  readonly id: string
  readonly user: string
  readonly lines: readonly string[]
  /** The number of objects that it writes to. */
  readonly writes: number
}

/** The result of an action: a line for each object. */
export interface WrittenActions {
  readonly lines: readonly string[]
  readonly failures: number
}

/** A change of an object: the whole object, a merge patch (RFC 7386), or neither if it was deleted. */
export interface VersionOfObject extends Numbered {
  readonly id: string
  readonly object?: unknown
  readonly patch?: unknown
}

/** Something that the recorder could not see. */
export interface GapMark extends Numbered {
  readonly until?: number
  readonly why: string
}

/** Everything that is known about one shoot after the entry `after`, each list in the order of the journal. */
export interface ShootHistory {
  /** The last entry of the journal. */
  readonly n: number
  readonly shoot: string
  readonly nodes: readonly NodeVersion[]
  readonly steps: readonly StepBar[]
  readonly events: readonly EventMark[]
  readonly objects: readonly VersionOfObject[]
}

/** The reason why an object fails, without names, ids and times: equal for objects that fail alike. */
export interface ListedProblem {
  readonly cause: string
  /** Gardener's codes: `ERR_INFRA_QUOTA_EXCEEDED`. */
  readonly codes: readonly string[]
}

/** The state of a shoot from `at` until its next version. */
export interface ListedState extends Numbered {
  readonly state: NodeState
  /** Numbers of its objects. */
  readonly failed: number
  readonly objects: number
  /** The reason for its state: the first line of an error, or the last operation of its worst object. */
  readonly why?: string
  /** The problems of its failing objects, each once. Undefined: none fails. */
  readonly problems?: readonly ListedProblem[]
  /** The number of objects whose step is due and has not begun. Undefined: none. */
  readonly overdue?: number
}

export interface ShootSummary {
  /** The namespace in the seed; empty for objects that belong to no shoot. */
  readonly id: string
  /** Namespace and name in the garden: `garden-rose/rose`. */
  readonly garden?: string
  readonly states: readonly ListedState[]
}

/** All shoots of a journal. */
export interface Overview {
  /** The last entry. */
  readonly n: number
  readonly by: string
  readonly seed?: string
  readonly from: number
  readonly to: number
  /** True if entries still arrive. */
  readonly live: boolean
  /** The kinds that have not been listed yet, so that no shoot is known to be well. Default: none. */
  readonly unlisted?: readonly string[]
  /** The reason why the page cannot ask for plans. */
  readonly noPlans?: string
  /** True if a page with the key may act. */
  readonly hasActions?: boolean
  /** The reason why the page cannot read Events of Kubernetes. */
  readonly noEvents?: string
  readonly shoots: readonly ShootSummary[]
  readonly gaps: readonly GapMark[]
}

/** New entries, as the page receives them. */
export interface LiveUpdate {
  readonly overview: Overview
  readonly history?: ShootHistory
}
