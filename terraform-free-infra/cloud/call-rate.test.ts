import { expect, test } from 'vitest'
import { createCallRate } from './call-rate.ts'

test('throttled calls decrease the rate by multiplication, down to a least rate', () => {
  const rate = createCallRate(4)
  const rates = [1, 2, 3].map(now => {
    rate.throttled(now, now)
    return rate.perSecond()
  })
  expect(rates).toEqual([3, 2.25, 1.6875])
  for (let now = 4; now < 50; now++) rate.throttled(now, now)
  expect(rate.perSecond()).toBe(0.2)
})

test('calls in flight together count once', () => {
  const rate = createCallRate(4)
  for (const now of [10, 11, 12]) rate.throttled(0, now)
  expect(rate.perSecond()).toBe(3)
  rate.throttled(11, 13)
  expect(rate.perSecond()).toBe(2.25)
})

test('answered calls increase the rate by addition, up to the limit', () => {
  const rate = createCallRate(4)
  rate.throttled(1, 1)
  const rates = [2, 3, 4].map(now => {
    rate.answered(now)
    return Number(rate.perSecond().toFixed(3))
  })
  expect(rates).toEqual([3.1, 3.2, 3.3])
  for (let count = 0; count < 100; count++) rate.answered(10)
  expect(rate.perSecond()).toBe(4)
})

test('an unknown limit is unlimited until the first throttled call, then the measured rate', () => {
  const rate = createCallRate()
  for (let now = 0; now < 5_000; now += 100) rate.answered(now)
  expect(rate.perSecond()).toBe(Number.POSITIVE_INFINITY)
  rate.throttled(5_000, 5_000)
  expect(rate.perSecond()).toBe(10)
})
