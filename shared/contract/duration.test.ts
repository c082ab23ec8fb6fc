import { expect, test } from 'vitest'
import { canonicalDuration, parseDuration } from './duration.ts'

test.each([
  ['24h', 86_400_000],
  ['96h0m0s', 345_600_000],
  ['1.5h', 5_400_000],
  ['1h15m30.5s', 4_530_500],
  ['100ms', 100],
  ['0', 0],
  ['+2m', 120_000],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '24', 'h', '-24h', '1d', '24 h', '1h-2m', '.h'])('%j is not a range', text => {
  expect(parseDuration(text)).toBeUndefined()
})

test.each([
  ['15m', '15m0s'],
  ['1h', '1h0m0s'],
  ['20m', '20m0s'],
  ['90s', '1m30s'],
  ['1500ms', '1.5s'],
  ['100ms', '100ms'],
  ['1h15m30.5s', '1h15m30.5s'],
  ['0', '0s'],
  ['0s', '0s'],
  ['168h', '168h0m0s'],
  ['5us', '5µs'],
  ['12ns', '12ns'],
  ['soon', 'soon'],
])('Go writes %s as %s', (text, canonical) => {
  expect(canonicalDuration(text)).toBe(canonical)
})
