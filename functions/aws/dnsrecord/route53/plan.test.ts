import { describe, expect, test } from 'vitest'
import type { DesiredRecord } from './plan.ts'
import { planRecord, planRemoval } from './plan.ts'
import type { RecordSet } from './route53.ts'

const elb = 'lb-1.eu-west-1.elb.amazonaws.com'

const record = (part: Partial<DesiredRecord> = {}): DesiredRecord => ({
  name: 'api.example.com',
  type: 'A',
  values: ['1.2.3.4'],
  ttl: 120,
  ipStack: 'ipv4',
  ...part,
})
const cname = (value: string, part: Partial<DesiredRecord> = {}) =>
  record({ type: 'CNAME', values: [value], ...part })

/** A record set as returned by Route 53. */
const set = (type: string, values: readonly string[], part: Partial<RecordSet> = {}): RecordSet => ({
  name: 'api.example.com.',
  type,
  ttl: 120,
  values,
  ...part,
})
const alias = (type: string, dnsName: string, hostedZoneId = 'Z32O12XQLNTSW2'): RecordSet => ({
  name: 'api.example.com.',
  type,
  alias: { dnsName, hostedZoneId, evaluateTargetHealth: true },
})

const sentences = (changes: readonly { readonly sentence: string }[]) =>
  changes.map(change => change.sentence)

describe('nothing is changed when', () => {
  test.each<[string, DesiredRecord, RecordSet[]]>([
    ['the record exists', record(), [set('A', ['1.2.3.4'])]],
    [
      'the addresses come in another order',
      record({ values: ['1.1.1.1', '2.2.2.2'] }),
      [set('A', ['2.2.2.2', '1.1.1.1'])],
    ],
    [
      'an IPv6 address is spelled otherwise',
      record({ type: 'AAAA', values: ['2001:DB8:0:0::1'] }),
      [set('AAAA', ['2001:db8::1'])],
    ],
    [
      'the name is a wildcard',
      record({ name: '*.Example.com' }),
      [set('A', ['1.2.3.4'], { name: '\\052.example.com.' })],
    ],
    [
      'texts come quoted and in another order',
      record({ type: 'TXT', values: ['a', 'ü'] }),
      [set('TXT', ['"\\303\\274"', '"a"'])],
    ],
    ['a CNAME has a dot and capitals', cname('Other.example.org'), [set('CNAME', ['other.example.org.'])]],
    ['an alias is spelled as Route 53 does', cname(elb), [alias('A', `${elb}.`)]],
    [
      'both aliases are there',
      cname(elb, { ipStack: 'dual-stack' }),
      [alias('AAAA', `${elb}.`), alias('A', `${elb}.`)],
    ],
    ['an emulator gives an alias a time to live', cname(elb), [{ ...alias('A', `${elb}.`), ttl: 0 }]],
    ['other types share the name', record(), [set('A', ['1.2.3.4']), set('MX', ['10 mail.example.com'])]],
    [
      'CloudFront dropped the health evaluation, or has it',
      cname('d1.cloudfront.net'),
      [alias('A', 'd1.cloudfront.net.', 'Z2FDTNDATAQYW2')],
    ],
  ])('%s', (_, wanted, observed) => {
    expect(planRecord(wanted, observed)).toEqual([])
  })
})

describe('one batch', () => {
  test.each<[string, DesiredRecord, RecordSet[], string[]]>([
    ['creates a record', record(), [], ['create A api.example.com with 1.2.3.4']],
    [
      'ignores the records of later names',
      record(),
      [set('A', ['1.2.3.4'], { name: 'apj.example.com.' })],
      ['create A api.example.com with 1.2.3.4'],
    ],
    ['changes other values', record(), [set('A', ['9.9.9.9'])], ['change A api.example.com with 1.2.3.4']],
    [
      'changes another time to live',
      record(),
      [set('A', ['1.2.3.4'], { ttl: 300 })],
      ['change A api.example.com with 1.2.3.4'],
    ],
    [
      'changes an alias into addresses',
      record(),
      [alias('A', `${elb}.`)],
      ['change A api.example.com with 1.2.3.4'],
    ],
    [
      'changes the target of an alias',
      cname(elb),
      [alias('A', 'lb-2.eu-west-1.elb.amazonaws.com.')],
      [`change A alias api.example.com to ${elb}`],
    ],
    [
      'changes a wrong health evaluation',
      cname(elb),
      [
        {
          ...alias('A', `${elb}.`),
          alias: { dnsName: `${elb}.`, hostedZoneId: 'Z32O12XQLNTSW2', evaluateTargetHealth: false },
        },
      ],
      [`change A alias api.example.com to ${elb}`],
    ],
    [
      'replaces a CNAME by an alias',
      cname(elb),
      [set('CNAME', ['other.example.org'])],
      ['delete CNAME api.example.com. with other.example.org', `create A alias api.example.com to ${elb}`],
    ],
    [
      'replaces aliases by a CNAME',
      cname('other.example.org'),
      [alias('A', `${elb}.`), alias('AAAA', `${elb}.`)],
      [
        `delete A alias api.example.com. to ${elb}.`,
        `delete AAAA alias api.example.com. to ${elb}.`,
        'create CNAME api.example.com with other.example.org',
      ],
    ],
    [
      'moves an alias from IPv4 to IPv6',
      cname(elb, { ipStack: 'ipv6' }),
      [alias('A', `${elb}.`)],
      [`delete A alias api.example.com. to ${elb}.`, `create AAAA alias api.example.com to ${elb}`],
    ],
    [
      'drops a family of a dual-stack alias',
      cname(elb),
      [alias('A', `${elb}.`), alias('AAAA', `${elb}.`)],
      [`delete AAAA alias api.example.com. to ${elb}.`],
    ],
    [
      'adds a family',
      cname(elb, { ipStack: 'dual-stack' }),
      [alias('A', `${elb}.`)],
      [`create AAAA alias api.example.com to ${elb}`],
    ],
    [
      'leaves foreign addresses next to a desired CNAME to the refusal of Route 53',
      cname('other.example.org'),
      [set('A', ['9.9.9.9'])],
      ['create CNAME api.example.com with other.example.org'],
    ],
    [
      'leaves an alias to a name of the zone to the refusal of Route 53',
      cname('other.example.org'),
      [alias('A', 'www.example.com.', 'Z1ZONE')],
      ['create CNAME api.example.com with other.example.org'],
    ],
    [
      'leaves a weighted record to the refusal of Route 53',
      record(),
      [set('A', ['1.2.3.4'], { setIdentifier: 'blue' })],
      ['create A api.example.com with 1.2.3.4'],
    ],
  ])('%s', (_, wanted, observed, expected) => {
    expect(sentences(planRecord(wanted, observed))).toEqual(expected)
  })
})

describe('a removal deletes', () => {
  test.each<[string, DesiredRecord, RecordSet[], RecordSet[]]>([
    ['nothing if no record exists', record(), [], []],
    ['the record', record(), [set('A', ['1.2.3.4'])], [set('A', ['1.2.3.4'])]],
    ['other values, too', record(), [set('A', ['9.9.9.9'], { ttl: 7 })], [set('A', ['9.9.9.9'], { ttl: 7 })]],
    ['no other type', record(), [set('AAAA', ['::1']), set('TXT', ['"x"'])], []],
    ['no other name', record(), [set('A', ['1.2.3.4'], { name: 'apj.example.com.' })], []],
    ['no weighted record', record(), [set('A', ['1.2.3.4'], { setIdentifier: 'blue' })], []],
    ['a CNAME of any value', cname(elb), [set('CNAME', ['x.org'])], [set('CNAME', ['x.org'])]],
    [
      'both aliases of a CNAME for any IP stack',
      cname(elb),
      [alias('A', `${elb}.`), alias('AAAA', `${elb}.`)],
      [alias('A', `${elb}.`), alias('AAAA', `${elb}.`)],
    ],
    [
      'the alias to a former AWS endpoint',
      cname('other.example.org'),
      [alias('A', `${elb}.`)],
      [alias('A', `${elb}.`)],
    ],
    [
      'an alias to the value with a suffix that only AWS knows',
      cname('lb.new-region-1.elb.amazonaws.com'),
      [alias('A', 'lb.new-region-1.elb.amazonaws.com.', 'ZNEW')],
      [alias('A', 'lb.new-region-1.elb.amazonaws.com.', 'ZNEW')],
    ],
    ['no foreign alias for a CNAME', cname(elb), [alias('A', 'www.example.com.', 'Z1ZONE')], []],
    ['no addresses for a CNAME', cname(elb), [set('A', ['9.9.9.9'])], []],
    ['no CNAME for addresses', record(), [set('CNAME', ['x.org'])], []],
  ])('%s', (_, wanted, observed, deleted) => {
    const changes = planRemoval(wanted, observed)
    expect(changes.map(change => change.set)).toEqual(deleted)
    expect(changes.every(change => change.action === 'DELETE')).toBe(true)
  })
})
