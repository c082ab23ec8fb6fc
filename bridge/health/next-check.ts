import type { Timestamp } from '../../shared/clock/clock.ts'
import { refreshAfterMs } from '../../shared/contract/health.ts'
import type { Monitored } from './monitored.ts'

/**
 * `changed`: something that the condition depends on is otherwise. `unhealthy`: it is not `True`, and may be again by what
 * nobody sees. `refresh`: it is about to look old. `start`: changes may have passed unseen.
 */
export type CheckReason = 'changed' | 'unhealthy' | 'refresh' | 'start'

export interface NextCheck {
  readonly at: Timestamp
  readonly reason: CheckReason
}

/** Changes that come together are one check. */
const gatherMs = 100
/** Between two checks of an object for changes; twice as long after each in a row. */
const firstGapMs = 500
const longestGapMs = 15_000
/** After so long without one, a row is over. */
const rowMs = 10_000
/** How often a condition that is not `True` is checked, whatever is seen: as often as the Go extension does. */
const unhealthyMs = 30_000
/** When nobody answers it is asked less and less, at least so often. */
const longestRetryMs = 600_000
/** A condition is written anew so long after the last time, in ms. gardenlet waits 300 s (docs/contract/health.md#what-is-outdated). */
const refreshMs = { least: 240_000, most: 280_000 }
/** Within this time everything is checked once that changes may have passed unseen of. */
export const catchUpMs = 60_000

/** When a condition that was written at a time is written anew. `random`: 0 ≤ x < 1, so that shoots spread by themselves. */
export const refreshAt = (writtenAt: Timestamp, random: () => number): Timestamp =>
  writtenAt + refreshMs.least + random() * (refreshMs.most - refreshMs.least)

/** When an object is checked next; undefined: when something changes. `isAsleep`: its shoot is to be hibernated. */
export const nextCheck = (monitored: Monitored, isAsleep: boolean): NextCheck | undefined => {
  const { shown, changedAt, catchUpAt, orderedAt, writtenAt } = monitored
  const candidates: NextCheck[] = []
  const offer = (reason: CheckReason, at: Timestamp, gapMs: number) =>
    candidates.push({ reason, at: Math.max(at, orderedAt === undefined ? at : orderedAt + gapMs) })
  if (changedAt !== undefined) offer('changed', changedAt + gatherMs, gapAfter(monitored))
  const shownAt = writtenAt ?? orderedAt
  // What is overdue for all is spread as well.
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

/** Whether a check that is ordered now will write the condition, whatever it finds. */
export const isWriteDue = ({ writtenAt }: Pick<Monitored, 'writtenAt'>, now: Timestamp): boolean =>
  // A second for what the clocks cut off.
  writtenAt === undefined || now - writtenAt > refreshAfterMs + 1_000

/** Notes that a check was ordered. Only those for changes make a row: a change is not told later since one came by the clock. */
export const noteOrdered = (monitored: Monitored, now: Timestamp, reason: CheckReason): void => {
  const { orderedAt } = monitored
  const isInRow = orderedAt !== undefined && now - orderedAt <= rowMs
  monitored.row = (isInRow ? monitored.row : 0) + (reason === 'changed' ? 1 : 0)
  if (isWriteDue(monitored, now)) monitored.missed++
  monitored.orderedAt = now
  monitored.changedAt = undefined
  monitored.catchUpAt = undefined
}

/** Nothing was done later than now: after a clock was set back, checks would wait until it is as late again. */
export const noteNow = (monitored: Monitored, now: Timestamp): void => {
  const { orderedAt, writtenAt, changedAt, catchUpAt, refreshAt } = monitored
  if (orderedAt !== undefined) monitored.orderedAt = Math.min(orderedAt, now)
  if (writtenAt !== undefined) monitored.writtenAt = Math.min(writtenAt, now)
  if (changedAt !== undefined) monitored.changedAt = Math.min(changedAt, now)
  if (catchUpAt !== undefined) monitored.catchUpAt = Math.min(catchUpAt, now + catchUpMs)
  monitored.refreshAt = Math.min(refreshAt, now + refreshMs.most)
}

/** Notes that the condition shows another time than before. */
export const noteWritten = (monitored: Monitored, writtenAt: Timestamp, random: () => number): void => {
  monitored.writtenAt = writtenAt
  monitored.refreshAt = refreshAt(writtenAt, random)
  monitored.missed = 0
}
