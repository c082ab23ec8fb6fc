import { expect, test } from 'vitest'
import { seconds, shootGiven } from './cluster-flags.ts'

test.each(['1', '30', '1e3', '86400'])('%s is a time limit', text => {
  expect(seconds(text)).toBe(Number(text))
})

test.each(['0', '-1', '0.5', 'x', '', '86401', '3000000', '99999999999', 'Infinity'])(
  '%j is no time limit: a timer would end at once, or never',
  text => {
    expect(() => seconds(text)).toThrow('expected a whole number of seconds, 1 to 86400')
  },
)

test('a shoot is the argument or -n, and not both', () => {
  expect([shootGiven('rose', undefined), shootGiven(undefined, 'rose')]).toEqual(['rose', 'rose'])
  for (const [given, namespace] of [['rose', 'rose'], []] as const)
    expect(() => shootGiven(given, namespace)).toThrow('give the name of a shoot, or --namespace')
})
