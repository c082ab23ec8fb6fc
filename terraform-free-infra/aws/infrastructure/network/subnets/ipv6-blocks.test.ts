import { describe, expect, test } from 'vitest'
import { isInside, serviceBlock, subnetBlock } from './ipv6-blocks.ts'

describe('the /64 of a number', () => {
  test.each([
    ['2001:db8:0:100::/56', 0, '2001:db8:0:100::/64'],
    ['2001:db8:0:100::/56', 1, '2001:db8:0:101::/64'],
    ['2001:db8:0:100::/56', 255, '2001:db8:0:1ff::/64'],
    ['2600:1f18:4000:ab00::/56', 16, '2600:1f18:4000:ab10::/64'],
  ])('of %s and %i is %s', (vpc, index, block) => expect(subnetBlock(vpc, index)).toBe(block))
})

test('services get the second /108 of a subnet', () => {
  expect(serviceBlock('2001:db8:0:101::/64')).toBe('2001:db8:0:101::10:0/108')
})

describe('a block', () => {
  test.each([
    ['10.250.96.0/22', '10.250.0.0/16', true],
    ['10.251.0.0/22', '10.250.0.0/16', false],
    ['10.0.0.0/8', '10.250.0.0/16', false],
    ['2001:db8::10:0/108', '2001:db8::/64', true],
    ['2001:db8::/64', '10.0.0.0/8', false],
  ])('%s in %s: %s', (inner, outer, inside) => expect(isInside(inner, outer)).toBe(inside))
})
