import type { Timestamp } from '../../../shared/clock/clock.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Facts, PieceOfWork } from '../../../shared/lifecycle/lifecycle.ts'
import { cutText } from '../../../shared/text/cut-text.ts'
import type { QueueItem } from '../queue/queue-types.ts'
import { objectNameOf, type PendingObject } from './pending-objects.ts'

/** Waiting work and its reason, as `--dump` shows it. */
export interface WaitingRow {
  readonly kind: KindName
  readonly object: string
  /** `ignored`: the object requests an unknown operation. */
  readonly state: 'ready' | 'in flight' | 'backing off' | 'waiting' | 'held' | 'parked' | 'ignored'
  readonly why: string
  readonly operation: string
  readonly reason: string
  readonly attempt: number
  readonly id: string
  /** The time at which the object needed it, according to the object itself; otherwise when the bridge saw it. */
  readonly since: Timestamp
  /** The latest end of the wait. */
  readonly at: Timestamp | undefined
  /** Why the last delivery failed, otherwise the error of the last step; '' if there is neither. */
  readonly lastError: string
}

export interface Tally {
  readonly held: number
  readonly parked: number
  /** Objects with an event that was sent more than once and is not claimed. */
  readonly unclaimed: number
  /** The time since which the oldest object waits to be sent. */
  readonly oldestSince: Timestamp | undefined
}

/** Counts the open work, in one pass; a kind without any is absent. */
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

/**
 * Returns since when an object needs its work, according to the object itself, so that a restarted process knows it
 * too. Returns undefined if the object does not say.
 */
export const neededSince = (
  { metadata }: KubernetesObject,
  { timestamp, deletionTimestamp, lastOperation }: Facts,
  { reason }: Pick<PieceOfWork, 'reason'>,
): Timestamp | undefined => {
  const created = metadata.creationTimestamp
  const lastTried = lastOperation?.lastUpdateTime
  // A request that has not succeeded counts from its own time, however often it was tried.
  const asked = lastOperation?.state === 'Succeeded' ? undefined : timestamp
  switch (reason) {
    case 'annotation':
      return firstOf(timestamp, created)
    case 'deletion':
      return latestOf(deletionTimestamp, timestamp)
    case 'created':
      return firstOf(created)
    case 'resume':
    case 'due':
    case 'changed':
    case 'retry':
    case 'expired':
    case 'touched':
      return earliestOf(asked, lastTried) ?? firstOf(created)
  }
}

const firstOf = (...texts: readonly (string | undefined)[]): Timestamp | undefined => {
  for (const text of texts) {
    const time = parseTimestamp(text)
    if (time !== undefined) return time
  }
  return undefined
}

const timesOf = (texts: readonly (string | undefined)[]): readonly Timestamp[] =>
  texts.map(text => parseTimestamp(text)).filter(time => time !== undefined)

const earliestOf = (...texts: readonly (string | undefined)[]): Timestamp | undefined => {
  const times = timesOf(texts)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** gardenlet rewrites the timestamp when it requests a deletion again. */
const latestOf = (...texts: readonly (string | undefined)[]): Timestamp | undefined => {
  const times = timesOf(texts)
  return times.length === 0 ? undefined : Math.max(...times)
}

/** The number of characters of an error in the dump. */
const longestError = 160

/** Returns the first line of the error that the last step has written. */
export const lastErrorOf = ({ status }: KubernetesObject): string | undefined => {
  const description = stringOf(recordOf(recordOf(status).lastError).description)
  if (description === '') return undefined
  const [firstLine = ''] = description.split('\n', 1)
  return cutText(firstLine, longestError)
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')
