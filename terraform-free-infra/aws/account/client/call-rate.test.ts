import { expect, test } from 'vitest'
import { createCallRate } from './call-rate.ts'

test('one throttled call among answered ones does not change the rate', () => {
  const rate = createCallRate(5)
  expect(rate.throttled(0, 1)).toBe(true)
  rate.answered(2)
  expect(rate.throttled(3, 4)).toBe(true)
  expect(rate.perSecond()).toBe(5)
})

test('throttled calls in a row decrease the rate by multiplication, down to a least rate', () => {
  const rate = createCallRate(5)
  const rates = [1, 2, 3, 4].map(now => {
    rate.throttled(now, now)
    return rate.perSecond()
  })
  expect(rates.map(value => Number(value.toFixed(2)))).toEqual([5, 4.75, 3.8, 1.9])
  for (let now = 5; now < 50; now++) rate.throttled(now, now)
  expect(rate.perSecond()).toBe(1 / 20)
})

test('the decrease starts from the rate at which calls were sent', () => {
  const rate = createCallRate(5)
  rate.throttled(1, 1, 0.5)
  rate.throttled(2, 2, 0.5)
  expect(rate.perSecond()).toBe(0.475)
})

test('calls in flight together count once', () => {
  const rate = createCallRate(5)
  expect([1, 2, 3].map(now => rate.throttled(0, now))).toEqual([true, false, false])
  expect(rate.perSecond()).toBe(5)
})

test('answered calls increase the rate by addition, faster after a long calm, up to the limit', () => {
  const rate = createCallRate(5)
  for (let now = 1; now <= 5; now++) rate.throttled(now, now)
  const low = rate.perSecond()
  for (let count = 0; count < 100; count++) rate.answered(10)
  const later = rate.perSecond()
  expect(later).toBeGreaterThan(low)
  for (let count = 0; count < 1_000; count++) rate.answered(10)
  expect(rate.perSecond()).toBe(5)
})

test('an unknown limit is unlimited until the first throttled call, then the measured rate', () => {
  const rate = createCallRate()
  for (let now = 0; now < 5_000; now += 100) rate.answered(now)
  expect(rate.perSecond()).toBe(Number.POSITIVE_INFINITY)
  rate.throttled(5_000, 5_000)
  expect(rate.perSecond()).toBe(10)
})
