import type { Timestamp } from '../shared/clock/clock.ts'
import type { KindName } from '../shared/contract/kinds.ts'
import type { ObjectKey } from '../shared/kubernetes/port.ts'
import type { Seen } from '../shared/lifecycle/seen.ts'
import type { About } from './bridge-event.ts'
import type { Decision, Sent } from './decide.ts'
import type { KeptObject } from './kept-objects.ts'
import type { Priority } from './queue-types.ts'

/** An object that has something open. Objects that need nothing have no entry. */
export interface Entry {
  readonly id: string
  readonly kind: KindName
  readonly key: ObjectKey
  readonly uid: string | undefined
  /** Kept only until it is sent, and only within bounds; otherwise it is read when its turn comes. */
  object: KeptObject | undefined
  /** How the object looked, while it is deleting. */
  before: Seen | undefined
  /** The version at which somebody touched it while it is deleting, until a step takes notice. */
  touched: string | undefined
  /** Counts what was seen of the object, to tell whether something came in between. */
  seen: number
  priority: Priority
  /** The decision that stands. */
  decision: Decision
  /** When the need of the decision's event was seen. */
  since: Timestamp
  sent: Sent | undefined
  parked: string | undefined
}

export const nameOf = ({ name, namespace }: ObjectKey): string =>
  namespace === undefined ? name : `${namespace}/${name}`

export const idOf = (kind: KindName, key: ObjectKey): string => `${kind} ${nameOf(key)}`

export const newEntry = (
  id: string,
  kind: KindName,
  key: ObjectKey,
  uid: string | undefined,
  since: Timestamp,
): Entry => ({
  id,
  kind,
  key,
  uid,
  object: undefined,
  before: undefined,
  touched: undefined,
  seen: 0,
  priority: 'fresh',
  decision: { kind: 'nothing' },
  since,
  sent: undefined,
  parked: undefined,
})

export const whyOf = (decision: Decision): string => ('why' in decision ? decision.why : '')

export const aboutOf = (entry: Entry, { work, id }: Exclude<Decision, { kind: 'nothing' }>): About => ({
  kind: entry.kind,
  object: nameOf(entry.key),
  id,
  operation: work.operation,
  reason: work.reason,
  attempt: work.attempt,
})
