import { expect, test } from 'vitest'
import { locksText, locksWait } from './locks.ts'
import type { Locks } from './s3/backup.ts'

const day = 86_400_000
const now = Date.parse('2026-01-01T00:00:00Z')
const hold = { kind: 'legal-hold' } as const
const none = { kind: 'none' } as const
const retention = (days: number) =>
  ({ kind: 'retention', mode: 'GOVERNANCE', until: now + days * day }) as const

test.each<[string, Locks['oldest'], Locks['newest'], string]>([
  ['one end', retention(1), retention(1), 'retention protects them until 2026-01-02T00:00:00Z'],
  [
    'a period that was made shorter',
    retention(9),
    retention(1),
    'retention protects them, the oldest until 2026-01-10T00:00:00Z, the newest until 2026-01-02T00:00:00Z',
  ],
  ['a hold on all', hold, hold, 'a legal hold protects them until it is removed'],
  [
    'a hold on one',
    retention(1),
    hold,
    'retention protects them, the oldest until 2026-01-02T00:00:00Z; a legal hold protects the newest until it is removed',
  ],
  ['a hold that is left', hold, none, 'a legal hold protects the oldest until it is removed'],
  ['no lock any more', none, none, 'their locks have just expired'],
])('a deletion reports the objects it waits for: %s', (_, oldest, newest, text) => {
  expect(locksText('b', { count: 3, oldest, newest })).toBe(
    `Waiting for 3 locked objects of bucket b: ${text}`,
  )
})

test.each<[string, Locks['oldest'], Locks['newest'], number]>([
  ['when the first lock ends', retention(0.5), retention(0.9), 0.5 * day + 1_000],
  ['when the one ends whose end is known', hold, retention(0.5), 0.5 * day + 1_000],
  ['later and later where none is', hold, hold, 60_000],
])('the deletion is retried %s', (_, oldest, newest, wait) => {
  expect(locksWait({ count: 3, oldest, newest }, now, now)).toBe(wait)
})
