import type { Timestamp } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { QueueItem, WaitingRow } from '../../../shared/event-queue/event-queue.ts'
import { objectNameOf, type PendingObject } from './pending-objects.ts'

export interface Tally {
  readonly held: number
  /** Objects with work that a person has paused. */
  readonly paused: number
  readonly parked: number
  /** Objects with an event that was sent more than once and is not claimed. */
  readonly unclaimed: number
  /** The time since which the oldest object waits to be sent. */
  readonly oldestSince: Timestamp | undefined
}

export const noWork: Tally = { held: 0, paused: 0, parked: 0, unclaimed: 0, oldestSince: undefined }

/** Counts the open work, in one pass; a kind without any is absent. */
export const tallyOf = (all: Iterable<PendingObject>): ReadonlyMap<KindName, Tally> => {
  const found = new Map<KindName, { -readonly [K in keyof Tally]: Tally[K] }>()
  for (const { kind, lastDecision, parked, since, sent, losses } of all) {
    const sum = found.get(kind) ?? { ...noWork }
    found.set(kind, sum)
    if (sent !== undefined && (sent.times > 1 || losses > 1)) sum.unclaimed++
    if (parked !== undefined) sum.parked++
    else if (lastDecision?.kind === 'hold') sum.held++
    else if (lastDecision?.why === 'paused') sum.paused++
    else if (lastDecision?.kind === 'send') sum.oldestSince = Math.min(sum.oldestSince ?? since, since)
  }
  return found
}

/** Returns the row of an entry with its item in the queue. */
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
      (times > 0 ? `sent ${times} times, not claimed` : lastDecision?.why) ??
      '',
    operation: lastDecision?.operation ?? '',
    reason: lastDecision?.reason ?? '',
    attempt: lastDecision?.attempt ?? 0,
    id: lastDecision?.id ?? '',
    // A clock that is ahead must not make the object seem younger than the bridge knows it is.
    since: Math.min(pending.needed ?? pending.since, pending.since),
    at: item?.at,
    lastError: failure ?? pending.error ?? '',
  }
}
