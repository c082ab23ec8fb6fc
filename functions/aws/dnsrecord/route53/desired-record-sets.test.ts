import { expect, test } from 'vitest'
import { type DesiredRecord, desiredRecordSets } from './plan.ts'

const record = (part: Partial<DesiredRecord>): DesiredRecord => ({
  name: 'api.example.com',
  type: 'A',
  values: ['1.2.3.4'],
  ttl: 120,
  ipStack: 'ipv4',
  ...part,
})

test.each([
  ['all addresses', record({ values: ['1.2.3.4', '5.6.7.8'] }), 'A', ['1.2.3.4', '5.6.7.8']],
  ['an address once', record({ values: ['1.2.3.4', '1.2.3.4'] }), 'A', ['1.2.3.4']],
  [
    'an IPv6 address once',
    record({ type: 'AAAA', values: ['2001:DB8::1', '2001:db8:0::1'] }),
    'AAAA',
    ['2001:db8:0::1'],
  ],
  ['texts in quotes', record({ type: 'TXT', values: ['one', '"two"'] }), 'TXT', ['"one"', '"two"']],
  ['the first value of a CNAME', record({ type: 'CNAME', values: ['a.org', 'b.org'] }), 'CNAME', ['a.org']],
])('one record set has %s', (_, wanted, type, values) => {
  expect(desiredRecordSets(wanted)).toEqual([{ name: 'api.example.com', type, ttl: 120, values }])
})

test('the TTL is the desired one', () => {
  expect(desiredRecordSets(record({ ttl: 0 }))).toEqual([expect.objectContaining({ ttl: 0 })])
})

test.each([
  ['ipv4', ['A']],
  ['ipv6', ['AAAA']],
  ['dual-stack', ['A', 'AAAA']],
] as const)('an AWS endpoint for %s is an alias of type %s without TTL', (ipStack, types) => {
  const target = 'lb.eu-west-1.elb.amazonaws.com'
  expect(desiredRecordSets(record({ type: 'CNAME', values: [target], ipStack }))).toEqual(
    types.map(type => ({
      name: 'api.example.com',
      type,
      alias: { dnsName: target, hostedZoneId: 'Z32O12XQLNTSW2', evaluateTargetHealth: true },
    })),
  )
})

test('an alias to CloudFront has no health evaluation, because AWS refuses it', () => {
  const sets = desiredRecordSets(record({ type: 'CNAME', values: ['d1.cloudfront.net'] }))
  expect(sets.map(set => set.alias?.evaluateTargetHealth)).toEqual([false])
})

test.each(['A', 'AAAA', 'TXT'] as const)('the IP stack has no effect for type %s', type => {
  const values = [type === 'AAAA' ? '::1' : '1.2.3.4']
  expect(desiredRecordSets(record({ type, values, ipStack: 'ipv6' }))).toEqual(
    desiredRecordSets(record({ type, values, ipStack: 'ipv4' })),
  )
})
