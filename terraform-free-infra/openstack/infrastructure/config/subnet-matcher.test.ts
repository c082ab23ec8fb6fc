import { expect, test } from 'vitest'
import { subnetMatcher } from './subnet-matcher.ts'

test.each([
  ['fip-a', 'fip-a', true],
  ['fip-a', 'fip-ab', false],
  ['fip-*', 'fip-ab', true],
  ['*-a', 'fip-a', true],
  ['f*-*a', 'fip-xa', true],
  ['f*-*a', 'fa', false],
  ['a*a', 'a', false],
  ['a.c', 'abc', false],
  ['!fip-*', 'fip-a', false],
  ['!fip-*', 'other', true],
  ['~fip-[ab]', 'fip-b', true],
  ['~fip-[ab]', 'fip-bc', false],
  ['~(?i)FIP-.', 'fip-b', true],
  ['!~fip-.*', 'other', true],
  ['!~fip-.*', '', false],
])('%s and the name %s: %s', (pattern, name, fits) => {
  expect(subnetMatcher(pattern)(name)).toBe(fits)
})

test('an invalid expression is refused with its field', () => {
  expect(() => subnetMatcher('~(')).toThrow(
    'spec.providerConfig.floatingPoolSubnetName: "~(" is not a usable',
  )
})

test('an expression that never ends is refused', () => {
  expect(() => subnetMatcher('~(a+)+b')('a'.repeat(60))).toThrow('is not a usable expression')
})
