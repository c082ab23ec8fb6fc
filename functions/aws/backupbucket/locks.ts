import type { Timestamp } from '../../../shared/clock/clock.ts'
import { formatSeconds } from '../../../shared/clock/clock.ts'
import { growingWait, type Locks, lockedWait } from './s3/backup.ts'

/** Describes the locks that a deletion waits for, and until when, based on the oldest and the newest version. */
export const locksText = (name: string, locks: Locks): string => {
  const what = `${locks.count} locked ${locks.count === 1 ? 'object' : 'objects'} of bucket ${name}`
  const reasons = [...retentionReasons(locks), ...holdReasons(locks)]
  return `Waiting for ${what}: ${reasons.length === 0 ? 'their locks have just expired' : reasons.join('; ')}`
}

const retentionReasons = ({ oldest, newest }: Locks): readonly string[] => {
  const ends = [endOf(oldest), endOf(newest)].map(end => end && formatSeconds(end))
  const [first, last] = ends
  if (first === last) return first === undefined ? [] : [`retention protects them until ${first}`]
  const parts = ['the oldest', 'the newest'].flatMap((which, index) =>
    ends[index] === undefined ? [] : [`${which} until ${ends[index]}`],
  )
  return [`retention protects them, ${parts.join(', ')}`]
}

const holdReasons = ({ oldest, newest }: Locks): readonly string[] => {
  const held = [oldest, newest].filter(({ kind }) => kind === 'legal-hold').length
  const whom = held === 2 ? 'them' : `the ${oldest.kind === 'legal-hold' ? 'oldest' : 'newest'}`
  return held === 0 ? [] : [`a legal hold protects ${whom} until it is removed`]
}

/** The wait until the next attempt of a deletion, in ms. */
export const locksWait = ({ oldest, newest }: Locks, since: Timestamp, now: Timestamp): number => {
  const ends = [oldest, newest].flatMap(lock => endOf(lock) ?? [])
  return ends.length === 0
    ? growingWait(since, now)
    : lockedWait({ first: Math.min(...ends), last: Math.max(...ends) }, since, now)
}

const endOf = (lock: Locks['oldest']): Timestamp | undefined =>
  lock.kind === 'retention' ? lock.until : undefined
