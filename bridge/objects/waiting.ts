import type { Timestamp } from '../../shared/clock/clock.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { QueueItem } from '../queue/queue-types.ts'
import { objectNameOf, type PendingObject } from './pending-object.ts'

/** Something that waits, and why: what `--dump` shows. */
export interface WaitingRow {
  readonly kind: KindName
  readonly object: string
  /** `ignored`: the object asks for an unknown operation. */
  readonly state: 'ready' | 'in flight' | 'backing off' | 'waiting' | 'held' | 'parked' | 'ignored'
  readonly why: string
  readonly operation: string
  readonly reason: string
  readonly attempt: number
  readonly id: string
  /** When the object began to need it, as it tells itself; else when that was seen. */
  readonly since: Timestamp
  /** When the wait is over at the latest. */
  readonly at: Timestamp | undefined
  /** Why it was not delivered the last time, else what its last step wrote down; '' when there is neither. */
  readonly lastError: string
}

export interface Tally {
  readonly held: number
  readonly parked: number
  /** Objects whose event was sent more than once and that nobody claims. */
  readonly unclaimed: number
  /** Since when the oldest object waits to be sent. */
  readonly oldestSince: Timestamp | undefined
}

/** Counts what is open, in one pass; a kind with nothing open is absent. */
export const tallyOf = (all: Iterable<PendingObject>): ReadonlyMap<KindName, Tally> => {
  const found = new Map<KindName, { -readonly [K in keyof Tally]: Tally[K] }>()
  for (const { kind, lastDecision, parked, since, sent } of all) {
    const sum = found.get(kind) ?? { held: 0, parked: 0, unclaimed: 0, oldestSince: undefined }
    found.set(kind, sum)
    if (sent !== undefined && sent.times > 1) sum.unclaimed++
    if (parked !== undefined) sum.parked++
    else if (lastDecision?.kind === 'hold') sum.held++
    else if (lastDecision?.kind === 'send') sum.oldestSince = Math.min(sum.oldestSince ?? since, since)
  }
  return found
}

/** The row of an entry that stands so in the queue. */
export const rowOf = (pending: PendingObject, item: QueueItem | undefined): WaitingRow => {
  const { lastDecision, parked, failure, sent } = pending
  const times = lastDecision?.why === 'claim awaited' && sent !== undefined && sent.times > 1 ? sent.times : 0
  const state =
    parked !== undefined ? 'parked' : lastDecision?.kind === 'hold' ? 'held' : (item?.state ?? 'waiting')
  return {
    kind: pending.kind,
    object: objectNameOf(pending),
    state: state === 'timed' ? 'waiting' : state,
    why:
      parked ??
      (state === 'backing off' ? failure : undefined) ??
      (times > 0 ? `sent ${times} times, nobody claims it` : lastDecision?.why) ??
      '',
    operation: lastDecision?.operation ?? '',
    reason: lastDecision?.reason ?? '',
    attempt: lastDecision?.attempt ?? 0,
    id: lastDecision?.id ?? '',
    // A clock that is ahead of ours must not make it younger than it is known to be.
    since: Math.min(pending.needed ?? pending.since, pending.since),
    at: item?.at,
    lastError: failure ?? pending.error ?? '',
  }
}
