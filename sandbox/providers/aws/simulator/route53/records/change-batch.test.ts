import type { Change, ResourceRecordSet } from '@aws-sdk/client-route-53'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createZone } from '../zones/new-zone.ts'
import { applyChangeBatch, type BatchZone } from './change-batch.ts'
import { comparePositions, positionOf } from './order.ts'

const change = (Action: 'CREATE' | 'DELETE' | 'UPSERT', set: ResourceRecordSet): Change => ({
  Action,
  ResourceRecordSet: set,
})
const record = (
  type: ResourceRecordSet['Type'],
  name: string,
  values: readonly string[],
  ttl = 120,
): ResourceRecordSet => ({
  Name: name,
  Type: type,
  TTL: ttl,
  ResourceRecords: values.map(Value => ({ Value })),
})
const a = (name: string, ...values: string[]) => record('A', name, values.length > 0 ? values : ['1.2.3.4'])
const cname = (name: string, target = 'target.example.org') => record('CNAME', name, [target])
const alias = (
  name: string,
  DNSName: string,
  HostedZoneId = 'Z32O12XQLNTSW2',
  Type: 'A' | 'AAAA' = 'A',
): ResourceRecordSet => ({
  Name: name,
  Type,
  AliasTarget: { DNSName, HostedZoneId, EvaluateTargetHealth: true },
})
const weighted = (name: string, SetIdentifier: string, Weight: number): ResourceRecordSet => ({
  ...a(name),
  SetIdentifier,
  Weight,
})

const elb = 'lb-1.eu-west-1.elb.amazonaws.com'

/** Creates the zone example.com with the given records. */
const zoneWith = (...sets: ResourceRecordSet[]): BatchZone => {
  const zone = createZone({ id: 'ZEXAMPLE', name: 'example.com.', callerReference: 'test' })
  const outcome = applyChangeBatch(
    zone,
    sets.map(set => change('CREATE', set)),
  )
  if (outcome.kind === 'refused') throw new Error(outcome.messages.join())
  return { ...zone, recordSets: outcome.recordSets }
}

const names = (zone: BatchZone, changes: Change[]): string[] => {
  const outcome = applyChangeBatch(zone, changes)
  if (outcome.kind === 'refused') throw new Error(outcome.messages.join())
  return outcome.recordSets
    .filter(set => !['NS', 'SOA'].includes(set.Type))
    .map(set => `${set.Name} ${set.Type} ${set.SetIdentifier ?? ''}`.trim())
}

const messages = (zone: BatchZone, changes: Change[]): readonly string[] => {
  const outcome = applyChangeBatch(zone, changes)
  return outcome.kind === 'refused' ? outcome.messages : []
}

describe('a change batch', () => {
  test.each<[title: string, zone: BatchZone, changes: Change[], after: string[]]>([
    ['creates a record', zoneWith(), [change('CREATE', a('A.Example.com'))], ['a.example.com. A']],
    [
      'deletes a record whose values stand in another order',
      zoneWith(a('a.example.com', '1.1.1.1', '2.2.2.2')),
      [change('DELETE', a('a.example.com.', '2.2.2.2', '1.1.1.1'))],
      [],
    ],
    [
      'deletes a wildcard by either spelling',
      zoneWith(a('*.example.com'), a('\\052.sub.example.com')),
      [change('DELETE', a('\\052.example.com')), change('DELETE', a('*.sub.example.com'))],
      [],
    ],
    [
      'replaces a CNAME by an alias in one go',
      zoneWith(cname('lb.example.com', elb)),
      [change('DELETE', cname('lb.example.com', elb)), change('CREATE', alias('lb.example.com', elb))],
      ['lb.example.com. A'],
    ],
    [
      'deletes and creates the same record',
      zoneWith(a('a.example.com')),
      [change('DELETE', a('a.example.com')), change('CREATE', a('a.example.com', '9.9.9.9'))],
      ['a.example.com. A'],
    ],
    [
      'accepts alias records for both address families',
      zoneWith(),
      [
        change('UPSERT', alias('lb.example.com', `dualstack.${elb}`)),
        change('UPSERT', alias('lb.example.com', elb, undefined, 'AAAA')),
      ],
      ['lb.example.com. A', 'lb.example.com. AAAA'],
    ],
    [
      'accepts an alias of a record that the same batch makes',
      zoneWith(),
      [
        change('CREATE', alias('b.example.com', 'a.example.com', 'ZEXAMPLE')),
        change('CREATE', a('a.example.com')),
      ],
      ['a.example.com. A', 'b.example.com. A'],
    ],
    [
      'keeps routed records apart by their identifiers',
      zoneWith(weighted('w.example.com', 'blue', 1)),
      [change('CREATE', weighted('w.example.com', 'green', 2))],
      ['w.example.com. A blue', 'w.example.com. A green'],
    ],
  ])('%s', (_, zone, changes, after) => {
    expect(names(zone, changes)).toEqual(after)
  })

  test.each<[title: string, zone: BatchZone, changes: Change[], texts: string[]]>([
    [
      'a deleted record with another TTL',
      zoneWith(a('a.example.com')),
      [change('DELETE', record('A', 'a.example.com', ['1.2.3.4'], 60))],
      [
        "Tried to delete resource record set [name='a.example.com.', type='A'] but the values provided do not match the current values",
      ],
    ],
    [
      'a created record that is there',
      zoneWith(a('*.example.com')),
      [change('CREATE', a('*.example.com'))],
      ["Tried to create resource record set [name='\\052.example.com.', type='A'] but it already exists"],
    ],
    [
      'a failed delete and the create that builds on it, both',
      zoneWith(cname('c.example.com')),
      [
        change('DELETE', cname('c.example.com', 'other.org')),
        change('CREATE', cname('c.example.com', 'new.org')),
      ],
      [
        "Tried to delete resource record set [name='c.example.com.', type='CNAME'] but the values provided do not match the current values",
        "Tried to create resource record set [name='c.example.com.', type='CNAME'] but it already exists",
      ],
    ],
    [
      'another record beside a CNAME',
      zoneWith(cname('c.example.com')),
      [change('CREATE', a('c.example.com'))],
      [
        'RRSet of type A with DNS name c.example.com. is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone example.com.',
      ],
    ],
    [
      'an alias beside a CNAME',
      zoneWith(cname('c.example.com')),
      [change('UPSERT', alias('c.example.com', elb))],
      [
        'RRSet of type A with DNS name c.example.com. is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone example.com.',
      ],
    ],
    [
      'a CNAME at the apex',
      zoneWith(),
      [change('CREATE', cname('example.com'))],
      ['RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com.'],
    ],
    [
      'a name that only ends like the zone',
      zoneWith(),
      [change('CREATE', a('badexample.com'))],
      ['RRSet with DNS name badexample.com. is not permitted in zone example.com.'],
    ],
    [
      'one record set changed twice',
      zoneWith(),
      [change('UPSERT', a('a.example.com')), change('UPSERT', a('A.example.com.', '5.6.7.8'))],
      ["The request contains an invalid set of changes for a resource record set 'A a.example.com.'"],
    ],
    [
      'one record set deleted twice',
      zoneWith(a('a.example.com')),
      [change('DELETE', a('a.example.com')), change('DELETE', a('a.example.com'))],
      ["The request contains an invalid set of changes for a resource record set 'A a.example.com.'"],
    ],
    [
      'a value twice',
      zoneWith(),
      [change('CREATE', a('a.example.com', '1.2.3.4', '1.2.3.4'))],
      ["Duplicate Resource Record: '1.2.3.4'"],
    ],
    [
      'values that are none, all of them',
      zoneWith(),
      [change('CREATE', a('a.example.com', 'x')), change('CREATE', record('TXT', 't.example.com', ['y']))],
      [
        "Invalid Resource Record: 'FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with 'x''",
        "Invalid Resource Record: 'FATAL problem: InvalidCharacterString (Value should be enclosed in quotation marks) encountered with 'y''",
      ],
    ],
    [
      'an alias into the wrong zone',
      zoneWith(),
      [change('CREATE', alias('lb.example.com', elb, 'Z2IFOLAFXWLO4F'))],
      [
        'Tried to create an alias that targets lb-1.eu-west-1.elb.amazonaws.com., type A in zone Z2IFOLAFXWLO4F, but the alias target name does not lie within the target zone',
        'Tried to create an alias that targets lb-1.eu-west-1.elb.amazonaws.com., type A in zone Z2IFOLAFXWLO4F, but that target was not found',
      ],
    ],
    [
      'an alias of a record that is not there',
      zoneWith(),
      [change('CREATE', alias('b.example.com', 'a.example.com', 'ZEXAMPLE'))],
      [
        'Tried to create an alias that targets a.example.com., type A in zone ZEXAMPLE, but that target was not found',
      ],
    ],
    [
      'a simple record beside a routed one',
      zoneWith(weighted('w.example.com', 'blue', 1)),
      [change('CREATE', a('w.example.com'))],
      [
        'RRSet with DNS name w.example.com., type A cannot be created as other RRSets exist with the same name and type.',
      ],
    ],
    [
      'too many records, an UPSERT counting twice',
      zoneWith(),
      Array.from({ length: 501 }, (_, index) => change('UPSERT', a(`a${index}.example.com`))),
      ['Number of records limit of 1000 exceeded.'],
    ],
    [
      'too many characters',
      zoneWith(),
      Array.from({ length: 130 }, (_, index) =>
        change('CREATE', record('TXT', `t${index}.example.com`, [`"${'x'.repeat(250)}"`])),
      ),
      ['Number of characters limit of 32000 exceeded.'],
    ],
  ])('a change batch with %s is refused', (_, zone, changes, texts) => {
    expect(messages(zone, changes)).toEqual(texts)
  })

  test('a change batch cannot delete the zone’s own records', () => {
    const zone = zoneWith()
    const deletes = zone.recordSets.map(set => change('DELETE', set))
    expect(messages(zone, deletes)).toEqual([
      'A HostedZone must contain at least one NS record for the zone itself.',
      'A HostedZone must contain exactly one SOA record.',
    ])
  })

  test('a change batch cannot create a start of authority below the apex', () => {
    const soa = record('SOA', 'sub.example.com', ['ns. hostmaster.example.com. 1 7200 900 1209600 86400'])
    expect(messages(zoneWith(), [change('CREATE', soa)])).toEqual([
      'A HostedZone must contain exactly one SOA record.',
    ])
  })

  test('a change batch changes nothing if one change is refused', () => {
    const zone = zoneWith(a('a.example.com'))
    const before = structuredClone(zone)
    applyChangeBatch(zone, [change('CREATE', a('b.example.com')), change('CREATE', a('a.example.com'))])
    expect(zone).toEqual(before)
  })

  test('the records remain sorted after every change batch', () => {
    const label = fc.constantFrom('a', 'b', 'c', '*', 'a-b', '0', 'z')
    const name = fc
      .array(label, { minLength: 1, maxLength: 3 })
      .map(labels => `${labels.join('.')}.example.com`)
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 20 }), written => {
        const { recordSets } = zoneWith(...written.map(each => a(each)))
        const sorted = recordSets.toSorted((x, y) => comparePositions(positionOf(x), positionOf(y)))
        expect(recordSets).toEqual(sorted)
        expect(recordSets).toHaveLength(written.length + 2)
      }),
    )
  })
})
