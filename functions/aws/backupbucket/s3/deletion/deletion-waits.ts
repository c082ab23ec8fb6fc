import type { Timestamp } from '../../../../../shared/clock/clock.ts'

const minute = 60_000
const day = 86_400_000

/**
 * Until a deletion that can do nothing now is tried again, in ms: as long as it has lasted already, so that the waits
 * double, but at least a minute and at most a day.
 *
 * @param since when the deletion was asked for
 */
export const growingWait = (since: Timestamp, now: Timestamp): number =>
  Math.min(Math.max(now - since, minute), day)

/**
 * The wait for locks of which the first ends and the last ends at known times: not before the first one has ended, nor
 * longer than a day, because a lock may be lifted by hand; and with growing waits in between, since each look at a
 * bucket with locked objects tries all of them.
 */
export const lockedWait = (
  ends: { readonly first: Timestamp; readonly last: Timestamp },
  since: Timestamp,
  now: Timestamp,
): number => {
  const wanted = Math.max(ends.first - now, growingWait(since, now))
  const useful = Math.max(ends.last - now, minute)
  // S3's clock may be a moment behind.
  return Math.min(wanted, useful, day) + 1_000
}
