import type { Timestamp } from '../../../shared/clock/clock.ts'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import { growingWait, type Locks, lockedWait } from '../../../terraform-free-infra/aws/backup/backup.ts'

/** What a deletion waits for, and until when. */
export const locksText = (name: string, locks: Locks): string => {
  const what = `${locks.count} locked ${locks.count === 1 ? 'object' : 'objects'} of bucket ${name}`
  const [first, last] = endsOf(locks)
  if (first === undefined || last === undefined) {
    return locks.oldest.kind === 'legal-hold' || locks.newest.kind === 'legal-hold'
      ? `Waiting for ${what}: a legal hold keeps them until somebody lifts it`
      : `Waiting for ${what}: their locks have just ended`
  }
  const until =
    first === last
      ? `until ${formatSeconds(first)}`
      : `the first until ${formatSeconds(first)}, the last until ${formatSeconds(last)}`
  return `Waiting for ${what}: retention keeps them, ${until}`
}

/** How long until a deletion looks again, in ms. */
export const locksWait = (locks: Locks, since: Timestamp, now: Timestamp): number => {
  const [first, last] = endsOf(locks)
  return first === undefined || last === undefined
    ? growingWait(since, now)
    : lockedWait({ first, last }, since, now)
}

/** When the first and the last retention ends; nothing where no end is known. */
const endsOf = ({ oldest, newest }: Locks): readonly Timestamp[] =>
  [oldest, newest].flatMap(lock => (lock.kind === 'retention' ? [lock.until] : [])).sort((a, b) => a - b)
