import type { CloudResource } from '../../sandbox/providers/provider.ts'

/** The state of a node, from the best to the worst: a parent shows the worst of its own and its children's. */
export const nodeStates = ['ok', 'gone', 'unknown', 'working', 'waiting', 'failed'] as const
export type NodeState = (typeof nodeStates)[number]

/** The next thing that happens to an object, and its time. */
export interface NextStep {
  /** `continue`, `reconcile`, `retry 3`: a verb phrase for readers. */
  readonly what: string
  /** In ms since 1970. Undefined: when the reason in `why` ends, at no known time. */
  readonly at?: number
  /** The id of the event that the bridge sends then, if it sends one. */
  readonly event?: string
}

export interface NodeError {
  /** The text of `lastError`, without secrets. */
  readonly text: string
  readonly codes: readonly string[]
  /** In ms since 1970: the first failure in a row, if known. */
  readonly since?: number
  /** The person who has to act, and the action, from docs/errors.md. */
  readonly fix?: string
}

/** One line of `trellis trace`: a shoot, an object of it, a step, or a resource in the cloud. */
export interface TreeNode {
  /** Unique in its tree, and the same at each moment: `Infrastructure shoot--garden--rose/rose`. */
  readonly id: string
  readonly kind: 'shoot' | 'extension' | 'step' | 'managed resource' | 'machine' | 'cloud resource'
  /** `Infrastructure rose`, `virtual machine i-0a1b in zone eu-west-1a`. */
  readonly title: string
  readonly state: NodeState
  /** `Create Succeeded`, `2 of 3 ready`. */
  readonly detail?: string
  /** Since when it has this state, in ms since 1970. */
  readonly since?: number
  /** Why it waits, for readers. */
  readonly why?: string
  readonly next?: NextStep
  readonly error?: NodeError
  /** The command that a reader runs about it: `trellis retry Worker/shoot--garden--rose/rose`. */
  readonly run?: string
  /** Only for a resource in the cloud. */
  readonly resource?: CloudResource
  readonly children: readonly TreeNode[]
}

/** Returns the worst of some states; `ok` without any. */
export const worstOf = (states: readonly NodeState[]): NodeState =>
  nodeStates.findLast(state => states.includes(state)) ?? 'ok'

/** The detail of a resource in the cloud that was not read: the object says what its last step has seen. */
export const asRecorded = 'as recorded'
