import type { Timestamp } from '../../../shared/clock/clock.ts'
import { refreshAfterMs } from '../../../shared/contract/health.ts'
import type { CheckReason } from '../bridge-event.ts'
import type { Monitored } from './monitored.ts'

export interface NextCheck {
  readonly at: Timestamp
  readonly reason: CheckReason
}

/** Changes within this time are combined into one check. */
const gatherMs = 100
/** The interval between two checks of an object for changes; it doubles after each consecutive one. */
const firstGapMs = 500
const longestGapMs = 15_000
/** A row ends after this time without an event. */
const rowMs = 10_000
/** The interval of checks for a condition that is not `True`, without any change: the same as in the Go extension. */
const unhealthyMs = 30_000
/** The longest interval between checks that are not answered. */
const longestRetryMs = 600_000
/**
 * The age at which a condition is rewritten, in ms. gardenlet waits 300 s (docs/contract/health.md#what-is-outdated).
 */
const refreshMs = { least: 240_000, most: 280_000 }
/** The time within which all objects are checked once when changes may have been missed. */
export const catchUpMs = 60_000

/** Returns the time at which a condition is rewritten. `random`: 0 ≤ x < 1, so that shoots spread evenly. */
const refreshAt = (writtenAt: Timestamp, random: () => number): Timestamp =>
  writtenAt + refreshMs.least + random() * (refreshMs.most - refreshMs.least)

/**
 * Returns the next check of an object. Returns undefined if it waits for a change. `isAsleep`: its shoot is to be
 * hibernated.
 */
export const nextCheck = (monitored: Monitored, isAsleep: boolean): NextCheck | undefined => {
  const { shown, changedAt, catchUpAt, orderedAt, writtenAt } = monitored
  const candidates: NextCheck[] = []
  const offer = (reason: CheckReason, at: Timestamp, gapMs: number) =>
    candidates.push({ reason, at: Math.max(at, orderedAt === undefined ? at : orderedAt + gapMs) })
  if (changedAt !== undefined) offer('changed', changedAt + gatherMs, gapAfter(monitored))
  const shownAt = writtenAt ?? orderedAt
  // Checks that are overdue for all objects are spread as well.
  if (catchUpAt !== undefined) offer('start', catchUpAt, gapAfter(monitored))
  else if (shown.status !== 'True' && shownAt !== undefined)
    offer('unhealthy', shownAt + unhealthyMs, retryAfter(monitored))
  else if (shown.status === 'True' && !isAsleep) offer('refresh', monitored.refreshAt, retryAfter(monitored))
  return candidates.reduce<NextCheck | undefined>(
    (first, candidate) => (first === undefined || candidate.at < first.at ? candidate : first),
    undefined,
  )
}

const gapAfter = ({ row }: Monitored): number =>
  row === 0 ? 0 : Math.min(firstGapMs * 2 ** (row - 1), longestGapMs)

const retryAfter = ({ missed }: Monitored): number =>
  Math.min(unhealthyMs * 2 ** Math.max(missed - 1, 0), longestRetryMs)

/** Returns true if a check ordered now will write the condition, whatever its result. */
export const isWriteDue = ({ writtenAt }: Pick<Monitored, 'writtenAt'>, now: Timestamp): boolean =>
  // One second for what the clocks round off.
  writtenAt === undefined || now - writtenAt > refreshAfterMs + 1_000

/**
 * Records an ordered check. Only checks for changes count as consecutive: a check by the clock does not delay the check
 * of a change.
 */
export const noteOrdered = (monitored: Monitored, now: Timestamp, reason: CheckReason): void => {
  const { orderedAt } = monitored
  const isInRow = orderedAt !== undefined && now - orderedAt <= rowMs
  monitored.row = (isInRow ? monitored.row : 0) + (reason === 'changed' ? 1 : 0)
  if (isWriteDue(monitored, now)) monitored.missed++
  monitored.orderedAt = now
  monitored.changedAt = undefined
  monitored.catchUpAt = undefined
}

/** Limits all recorded times to now: after a clock was set back, checks would otherwise wait until the old time. */
export const noteNow = (monitored: Monitored, now: Timestamp): void => {
  const { orderedAt, writtenAt, changedAt, catchUpAt, refreshAt } = monitored
  if (orderedAt !== undefined) monitored.orderedAt = Math.min(orderedAt, now)
  if (writtenAt !== undefined) monitored.writtenAt = Math.min(writtenAt, now)
  if (changedAt !== undefined) monitored.changedAt = Math.min(changedAt, now)
  if (catchUpAt !== undefined) monitored.catchUpAt = Math.min(catchUpAt, now + catchUpMs)
  monitored.refreshAt = Math.min(refreshAt, now + refreshMs.most)
}

/** Records that the condition shows a new time. */
export const noteWritten = (monitored: Monitored, writtenAt: Timestamp, random: () => number): void => {
  monitored.writtenAt = writtenAt
  monitored.refreshAt = refreshAt(writtenAt, random)
  monitored.missed = 0
}
