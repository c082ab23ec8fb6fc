import { describe, expect, test } from 'vitest'
import { blockAttributes, ipv6BlockOf, isInside, serviceBlock, subnetBlock } from './ipv6-blocks.ts'

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

describe('the IPv6 block of a VPC or subnet', () => {
  const block = (
    Ipv6CidrBlock: string,
    State: 'associating' | 'associated' | 'disassociating' | 'disassociated' | 'failing' | 'failed',
    StatusMessage?: string,
  ) => ({ Ipv6CidrBlock, Ipv6CidrBlockState: { State, ...(StatusMessage && { StatusMessage }) } })
  const former = block('2600:1::/56', 'disassociated')
  const failed = block('2600:2::/56', 'failed', 'The pool is empty')
  const coming = block('2600:3::/56', 'associating')
  const there = block('2600:5::/56', 'associated')
  const other = block('2600:4::/56', 'associated')

  test.each([
    ['the associated one', [former, failed, there], '2600:5::/56', false, undefined],
    ['none while AWS associates one', [former, failed, coming], undefined, true, undefined],
    ['none, with the reason, after a failure', [former, failed], undefined, false, 'The pool is empty'],
    ['none without an association', [former], undefined, false, undefined],
    ['the lowest of several', [there, failed, other], '2600:4::/56', false, undefined],
  ])('is %s, in any order', (_, associations, cidr, isPending, failure) => {
    for (const list of [associations, associations.toReversed()])
      expect(ipv6BlockOf(list)).toEqual({ block: cidr, isPending, failure })
  })

  test('is the preferred one as long as it is associated', () => {
    expect(ipv6BlockOf([other, there], '2600:5::/56').block).toBe('2600:5::/56')
    expect(ipv6BlockOf([other, there], '2600:1::/56').block).toBe('2600:4::/56')
  })

  test('has a reason for its failure, even if AWS states none', () => {
    expect(ipv6BlockOf([block('', 'failed')]).failure).toBe('AWS states no reason')
    expect(blockAttributes(ipv6BlockOf([failed]))).toEqual({ ipv6: true, ipv6Failure: 'The pool is empty' })
  })
})
