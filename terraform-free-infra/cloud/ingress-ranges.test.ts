import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { ingressRanges } from './ingress-ranges.ts'

test.each([
  ['host bits are dropped', [{ cidr: '203.0.113.7/24' }], ['203.0.113.0/24']],
  ['IPv6 is written as AWS writes it', [{ cidr: '2001:DB8:0:0::1/64' }], ['2001:db8::/64']],
  ['equal ranges count once', [{ cidr: '10.0.0.1/8' }, { cidr: '10.0.0.0/8' }], ['10.0.0.0/8']],
  ['without a block no range is allowed', [], []],
  [
    'an exception that is the whole range leaves nothing',
    [{ cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] }],
    [],
  ],
  [
    'exceptions are cut out one after the other',
    [{ cidr: '10.0.0.0/30', except: ['10.0.0.0/32', '10.0.0.3/32'] }],
    ['10.0.0.1/32', '10.0.0.2/32'],
  ],
  [
    'an exception of IPv6 is cut out as well',
    [{ cidr: '2001:db8::/126', except: ['2001:db8::1/128'] }],
    ['2001:db8::/128', '2001:db8::2/127'],
  ],
])('%s', (_, blocks, ranges) => {
  expect(ingressRanges(blocks)).toEqual(ranges)
})

const addressIn = (number: number): string => `10.1.2.${number}`

test('an address is allowed exactly if a block contains it and none of its exceptions does', () => {
  const range = fc
    .tuple(fc.integer({ min: 24, max: 32 }), fc.integer({ min: 0, max: 255 }))
    .map(([prefix, host]) => `${addressIn(host)}/${prefix}`)
  const holds = (cidr: string, address: string) => ipaddr.parse(address).match(ipaddr.parseCIDR(cidr))
  fc.assert(
    fc.property(range, fc.array(range, { maxLength: 4 }), fc.nat(255), (cidr, except, number) => {
      const address = addressIn(number)
      const expected = holds(cidr, address) && !except.some(hole => holds(hole, address))
      expect(ingressRanges([{ cidr, except }]).some(one => holds(one, address))).toBe(expected)
    }),
    { numRuns: 500 },
  )
})
