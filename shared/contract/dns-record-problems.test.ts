import { describe, expect, test } from 'vitest'
import { formatProblems } from '../decode/problems.ts'
import { dnsRecordProblems } from './dns-record-problems.ts'
import type { DNSRecord } from './schemas/dns-record.ts'

const problems = (spec: Partial<DNSRecord['spec']>): string =>
  formatProblems(
    dnsRecordProblems({
      spec: {
        type: 'aws-route53',
        secretRef: { name: 's', namespace: 'n' },
        name: 'a.example.com',
        recordType: 'A',
        values: ['1.2.3.4'],
        ...spec,
      },
    }),
  )

describe('the rules for DNS records', () => {
  test.each<[string, Partial<DNSRecord['spec']>]>([
    ['an address', {}],
    ['several addresses', { values: ['1.2.3.4', '5.6.7.8'] }],
    ['an IPv6 address', { recordType: 'AAAA', values: ['2001:db8::1'] }],
    ['an alias', { recordType: 'CNAME', values: ['lb.eu-west-1.elb.amazonaws.com'] }],
    ['an alias with the final dot', { recordType: 'CNAME', values: ['lb.example.com.'] }],
    ['an alias to a validation record', { recordType: 'CNAME', values: ['_x1.acm-validations.aws'] }],
    ['any text', { recordType: 'TXT', values: ['owner=me; "quoted"', 'é'] }],
    ['a text under an underscore', { recordType: 'TXT', name: '_acme-challenge.example.com', values: ['x'] }],
    ['a wildcard', { name: '*.ingress.example.com' }],
    ['the shortest time to live', { ttl: 0 }],
    ['the longest time to live', { ttl: 2_147_483_647 }],
    ['a zone', { zone: 'Z1' }],
  ])('the rules accept %s', (_, spec) => {
    expect(problems(spec)).toBe('')
  })

  test.each<[string, Partial<DNSRecord['spec']>, string]>([
    ['no value', { values: [] }, 'spec.values: expected at least one value, found none'],
    [
      'an IPv6 address in an A record',
      { values: ['1.2.3.4', '2001:db8::1'] },
      'spec.values[1]: expected an IPv4 address, found "2001:db8::1"',
    ],
    [
      'an IPv4 address in an AAAA record',
      { recordType: 'AAAA', values: ['1.2.3.4'] },
      'spec.values[0]: expected an IPv6 address, found "1.2.3.4"',
    ],
    [
      'an IPv6 address with a zone',
      { recordType: 'AAAA', values: ['fe80::1%eth0'] },
      'spec.values[0]: expected an IPv6 address, found "fe80::1%eth0"',
    ],
    [
      'an address out of range',
      { values: ['1.2.3.256'] },
      'spec.values[0]: expected an IPv4 address, found "1.2.3.256"',
    ],
    [
      'two targets of an alias',
      { recordType: 'CNAME', values: ['a.example.com', 'b.example.com'] },
      'spec.values: expected exactly one value for a CNAME record, found 2',
    ],
    [
      'a target of one label',
      { recordType: 'CNAME', values: ['localhost'] },
      'spec.values[0]: expected a fully qualified domain name, found "localhost"',
    ],
    [
      'an empty text',
      { recordType: 'TXT', values: [''] },
      'spec.values[0]: expected a text that is not empty, found ""',
    ],
    ['a negative time to live', { ttl: -1 }, 'spec.ttl: expected 0 to 2147483647 seconds, found -1'],
    [
      'too long a time to live',
      { ttl: 2_147_483_648 },
      'spec.ttl: expected 0 to 2147483647 seconds, found 2147483648',
    ],
    ['an empty zone', { zone: '' }, 'spec.zone: expected the id of a zone, found an empty string'],
    ['a name with spaces', { name: 'a b' }, 'spec.name: expected a domain name, found "a b"'],
    ['an empty name', { name: '' }, 'spec.name: expected a domain name, found ""'],
    [
      'an underscore outside of TXT',
      { name: '_a.example.com' },
      'spec.name: expected a domain name, found "_a.example.com"',
    ],
    [
      'a wildcard in the middle',
      { name: 'a.*.example.com' },
      'spec.name: expected a domain name, found "a.*.example.com"',
    ],
    [
      'a label of 64 characters',
      { name: `${'a'.repeat(64)}.com` },
      `spec.name: expected a domain name, found "${'a'.repeat(64)}.com"`,
    ],
    [
      'a very long value, which is cut',
      { values: ['x'.repeat(500)] },
      `spec.values[0]: expected an IPv4 address, found "${'x'.repeat(78)}…`,
    ],
  ])('a request to change %s is refused', (_, spec, expected) => {
    expect(problems(spec)).toBe(expected)
  })
})
