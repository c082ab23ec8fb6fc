import type { Timestamp } from '../../clock/clock.ts'
import { refreshAfterMs } from '../../contract/health.ts'
import type { CheckReason, Monitored, NextCheck } from './monitored.ts'

/** Changes within this time are combined into one check. */
const gatherMs = 100
/** The interval between two checks of an object for changes; it doubles after each consecutive one. */
const firstGapMs = 500
const longestGapMs = 15_000
/** A row ends after this time without an event. */
const rowMs = 10_000
/** The first interval of checks without a change, for a condition that is not `True` or a check without an answer. */
const unhealthyMs = 30_000
/** The longest time that a check of a round may be due in the future. */
const longestBurstMs = 300_000

/**
 * Returns the next check of an object. Returns undefined if it waits for a change or for a round. `isAsleep`: its shoot
 * is to be hibernated.
 */
export const nextCheck = (
  monitored: Monitored,
  isAsleep: boolean,
  roundMs: number,
): NextCheck | undefined => {
  const { shown, changedAt, due, orderedAt, writtenAt, missed } = monitored
  const candidates: NextCheck[] = []
  const offer = (reason: CheckReason, at: Timestamp, gapMs: number) =>
    candidates.push({ reason, at: Math.max(at, orderedAt === undefined ? at : orderedAt + gapMs) })
  if (changedAt !== undefined) offer('changed', changedAt + gatherMs, gapAfter(monitored))
  const shownAt = writtenAt ?? orderedAt
  const gapMs = repeatAfter(monitored)
  if (due !== undefined) offer(due.reason, due.at, gapAfter(monitored))
  else if (gapMs >= roundMs) {
    // The next round comes first.
  } else if (shown.status !== 'True') {
    if (shownAt !== undefined) offer('unhealthy', shownAt + unhealthyMs, gapMs)
  } else if (missed > 0 && orderedAt !== undefined && !isAsleep) offer('refresh', orderedAt, gapMs)
  return candidates.reduce<NextCheck | undefined>(
    (first, candidate) => (first === undefined || candidate.at < first.at ? candidate : first),
    undefined,
  )
}

const gapAfter = ({ row }: Monitored): number =>
  row === 0 ? 0 : Math.min(firstGapMs * 2 ** (row - 1), longestGapMs)

/**
 * Returns the interval to the next check without a change: as long as the state has lasted, so it doubles.
 * `Progressing` ends by itself after a few minutes, and its end must be seen.
 */
const repeatAfter = ({ shown, since, orderedAt = since, missed }: Monitored): number =>
  shown.status === 'Progressing' && missed === 0 ? unhealthyMs : Math.max(orderedAt - since, unhealthyMs)

/** Returns true if a function rewrites the condition in answer to any check, except one of a round. */
export const isOld = ({ writtenAt }: Pick<Monitored, 'writtenAt'>, now: Timestamp): boolean =>
  // One second for what the clocks round off.
  writtenAt === undefined || now - writtenAt > refreshAfterMs + 1_000

/** Returns true if a check ordered now will write the condition, whatever its result. */
export const isWriteDue = (
  monitored: Pick<Monitored, 'writtenAt'>,
  now: Timestamp,
  reason: CheckReason,
): boolean => reason !== 'round' && isOld(monitored, now)

/**
 * Returns true if another leader may have missed the last check of an object. A leadership that changes again and again
 * would otherwise check everything each time.
 */
export const mayBeMissed = (
  { due, changedAt, orderedAt, shown }: Monitored,
  now: Timestamp,
  roundMs: number,
): boolean =>
  due !== undefined ||
  changedAt !== undefined ||
  shown.status !== 'True' ||
  orderedAt === undefined ||
  now - orderedAt >= roundMs

/**
 * Records an ordered check. Only checks for changes count as consecutive: a check by the clock does not delay the check
 * of a change.
 */
export const noteOrdered = (monitored: Monitored, now: Timestamp, reason: CheckReason): void => {
  const { orderedAt } = monitored
  const isInRow = orderedAt !== undefined && now - orderedAt <= rowMs
  const isAwaited = isWriteDue(monitored, now, reason)
  monitored.row = (isInRow ? monitored.row : 0) + (reason === 'changed' ? 1 : 0)
  const isFirstAwaited = isAwaited && monitored.missed === 0 && monitored.shown.status === 'True'
  if (reason === 'changed' || isFirstAwaited) monitored.since = now
  if (isAwaited) monitored.missed++
  monitored.orderedAt = now
  monitored.changedAt = undefined
  monitored.due = undefined
}

/** Limits all recorded times to now: after a clock was set back, checks would otherwise wait until the old time. */
export const noteNow = (monitored: Monitored, now: Timestamp): void => {
  const { orderedAt, writtenAt, changedAt, due, since } = monitored
  if (orderedAt !== undefined) monitored.orderedAt = Math.min(orderedAt, now)
  if (writtenAt !== undefined) monitored.writtenAt = Math.min(writtenAt, now)
  if (changedAt !== undefined) monitored.changedAt = Math.min(changedAt, now)
  if (due !== undefined && due.at > now + longestBurstMs) monitored.due = { ...due, at: now }
  monitored.since = Math.min(since, now)
}

/** Records that the condition shows a new time. */
export const noteWritten = (monitored: Monitored, writtenAt: Timestamp): void => {
  monitored.writtenAt = writtenAt
  monitored.missed = 0
}
