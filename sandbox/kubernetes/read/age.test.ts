import { expect, test } from 'vitest'
import { ageOf, humanDuration } from './age.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [-2 * second, '<invalid>'],
  [0, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [5 * minute + 12 * second, '5m12s'],
  [10 * minute + 59 * second, '10m'],
  [179 * minute, '179m'],
  [3 * hour + 7 * minute, '3h7m'],
  [8 * hour, '8h'],
  [47 * hour, '47h'],
  [2 * day + 4 * hour, '2d4h'],
  [8 * day, '8d'],
  [729 * day, '729d'],
  [730 * day, '2y'],
  [761 * day, '2y31d'],
  [10 * 365 * day, '10y'],
])('%d ms are %s', (milliseconds, text) => {
  expect(humanDuration(milliseconds)).toBe(text)
})

test('a missing time has no age', () => {
  expect(ageOf(undefined, 0)).toBe('<unknown>')
})
