import { expect, test } from 'vitest'
import { growingWait, lockedWait } from './deletion-waits.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each([
  [0, minute],
  [minute, minute],
  [10 * minute, 10 * minute],
  [5 * day, day],
  [-hour, minute],
])('after %i ms the next attempt is in %i ms', (lasted, wait) => {
  expect(growingWait(1_000_000, 1_000_000 + lasted)).toBe(wait)
})

test.each([
  ['when the first lock ends', { lasted: 0, first: 2 * hour, last: 3 * hour }, 2 * hour],
  ['within a day', { lasted: 0, first: 10 * day, last: 20 * day }, day],
  ['later and later while locks end one by one', { lasted: 4 * hour, first: minute, last: day }, 4 * hour],
  ['not after the last lock ends', { lasted: 4 * hour, first: minute, last: 10 * minute }, 10 * minute],
  ['in a minute at the earliest', { lasted: 4 * hour, first: -hour, last: -minute }, minute],
])('locked objects are tried %s', (_, { lasted, first, last }, wait) => {
  const now = 1_000 * day
  expect(lockedWait({ first: now + first, last: now + last }, now - lasted, now)).toBe(wait + 1_000)
})
