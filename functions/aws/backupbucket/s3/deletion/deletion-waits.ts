import type { Timestamp } from '../../../../../shared/clock/clock.ts'

const minute = 60_000
const day = 86_400_000

/**
 * Returns the wait before a blocked deletion is retried, in ms: its duration so far, so that waits double, but at least
 * a minute and at most a day.
 *
 * @param since time of the deletion request
 */
export const growingWait = (since: Timestamp, now: Timestamp): number =>
  Math.min(Math.max(now - since, minute), day)

/**
 * Returns the wait for locks with a known first and last end. Waits until the first has ended, but not longer than a
 * day, because a lock may be lifted by hand. Waits grow in between, because each attempt tries all locked objects.
 */
export const lockedWait = (
  ends: { readonly first: Timestamp; readonly last: Timestamp },
  since: Timestamp,
  now: Timestamp,
): number => {
  const wanted = Math.max(ends.first - now, growingWait(since, now))
  const useful = Math.max(ends.last - now, minute)
  // S3's clock may be slightly behind.
  return Math.min(wanted, useful, day) + 1_000
}
