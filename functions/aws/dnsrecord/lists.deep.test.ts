import { describe, expect, test } from 'vitest'
import { addHostedZone, createAws, hostedZones } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { type EditList, editedLists } from './testing/edited-lists.ts'
import { route53Account } from './testing/route53-account.ts'
import { type RecordParts, recordOf, stepsOver } from './testing/steps.ts'

const elb = 'lb-1.eu-west-1.elb.amazonaws.com'

/** An account whose lists are edited for the steps, but not for the operator. */
const setUp = async (edits: Parameters<typeof editedLists>[1]) => {
  const aws = createAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const plain = stepsOver(aws.requestHandler)
  const edited = stepsOver(editedLists(aws.requestHandler, edits))
  return { aws, account, zone, plain, ...edited }
}

const records: readonly (readonly [string, RecordParts])[] = [
  ['addresses', {}],
  ['a text', { spec: { recordType: 'TXT', values: ['a "b"'] } }],
  ['a wildcard', { spec: { name: '*.example.com' } }],
  ['a CNAME', { spec: { recordType: 'CNAME', values: ['x.org'] } }],
  ['an alias', { spec: { recordType: 'CNAME', values: [elb] } }],
  ['aliases of both families', { spec: { recordType: 'CNAME', values: [elb] }, ipStack: 'dual-stack' }],
]
/** A record of the same type and name with other values. */
const changedOf = ({ spec = {}, ...parts }: RecordParts): RecordParts => {
  const value = { A: '9.9.9.9', AAAA: '::9', TXT: 'other', CNAME: 'other.example.org' }[
    spec.recordType ?? 'A'
  ]
  return { ...parts, spec: { ...spec, values: [value] } }
}

describe.each<[string, EditList]>([
  ['twice', sets => sets.flatMap(set => [set, set])],
  ['twice in all, once before and once after the others', sets => [...sets, ...sets]],
  [
    'first in an older form',
    sets => [...sets.map(set => set.replace(/<TTL>\d+/, '<TTL>7').replaceAll('1.2.3.4', '8.8.8.8')), ...sets],
  ],
])('a list that contains each record set %s', (_, ResourceRecordSet) => {
  test.each(records)('leaves %s unchanged, changes and removes them', async (_name, parts) => {
    const { account, zone, plain, reconcile, remove } = await setUp({ ResourceRecordSet })
    await plain.reconcile(recordOf({ ...parts, statusZone: zone }))
    const before = await account.records(zone)
    account.actions()
    await reconcile(recordOf({ ...parts, statusZone: zone }))
    expect(await account.records(zone)).toEqual(before)

    const changed = changedOf(parts)
    await reconcile(recordOf({ ...changed, statusZone: zone }))
    expect(await account.records(zone)).toHaveLength(1)
    await reconcile(recordOf({ ...parts, statusZone: zone }))
    expect(await account.records(zone)).toEqual(before)

    await remove(recordOf({ ...parts, statusZone: zone }))
    expect(await account.records(zone)).toEqual([])
  })
})

test('a list that contains each record set twice costs an unchanged record no change', async () => {
  const { account, zone, reconcile } = await setUp({ ResourceRecordSet: sets => [...sets, ...sets] })
  await reconcile(recordOf({ statusZone: zone }))
  account.actions()
  const {
    account: other,
    zone: otherZone,
    plain,
    reconcile: again,
  } = await setUp({
    ResourceRecordSet: sets => [...sets, ...sets],
  })
  await plain.reconcile(recordOf({ statusZone: otherZone }))
  const before = other.actions().length
  await again(recordOf({ statusZone: otherZone }))
  expect(other.actions().slice(before)).toEqual(['ListResourceRecordSets'])
})

test('a hosted zone that a list contains twice is one zone', async () => {
  const { account, zone, reconcile } = await setUp({ HostedZone: zones => [...zones, ...zones] })
  const result = await reconcile(recordOf())
  expect(result).toMatchObject({ kind: 'done', status: { zone } })
  expect(JSON.stringify(result)).not.toContain('SeveralHostedZones')
  expect(await account.records(zone)).toHaveLength(1)
})

describe('a removal', () => {
  test.each(records)('of %s does not end because a list omitted them', async (_, parts) => {
    const { account, zone, plain, remove } = await setUp({
      ResourceRecordSet: (sets, count) => (count === 1 ? [] : sets),
    })
    await plain.reconcile(recordOf({ ...parts, statusZone: zone }))
    await remove(recordOf({ ...parts, statusZone: zone }))
    expect(await account.records(zone)).toEqual([])
  })

  test.each([
    ['A', 1],
    ['AAAA', 1],
  ])('of two aliases does not end because a list omitted the one of type %s', async (type, at) => {
    const { account, zone, plain, remove } = await setUp({
      ResourceRecordSet: (sets, count) =>
        count === at ? sets.filter(set => !set.includes(`<Type>${type}</Type>`)) : sets,
    })
    const parts = {
      spec: { recordType: 'CNAME', values: [elb] },
      ipStack: 'dual-stack',
      statusZone: zone,
    } as const
    await plain.reconcile(recordOf({ ...parts, spec: { ...parts.spec, values: [elb] } }))
    // The annotation may have changed since.
    await remove(recordOf({ ...parts, spec: { ...parts.spec, values: [elb] }, ipStack: 'ipv4' }))
    expect(await account.records(zone)).toEqual([])
  })

  test('of many records of a zone does not end because the common list omitted some', async () => {
    const { account, zone, plain, remove } = await setUp({
      ResourceRecordSet: (sets, count) => (count <= 2 ? sets.filter((_, index) => index % 2 === 0) : sets),
    })
    const all = Array.from({ length: 10 }, (_, index) => ({
      ...recordOf({ spec: { name: `r${index}.example.com` }, statusZone: zone }),
      metadata: { name: `r${index}`, namespace: 'shoot--foo--bar', uid: `uid-${index}` },
    }))
    await Promise.all(all.map(record => plain.reconcile(record)))
    await Promise.all(all.map(record => remove(record)))
    expect(await account.records(zone)).toEqual([])
  })

  test('of a record that is not there ends after two lists', async () => {
    const { account, zone, remove } = await setUp({})
    expect(await remove(recordOf({ statusZone: zone }))).toEqual({ kind: 'done' })
    expect(account.actions()).toEqual(['ListResourceRecordSets', 'ListResourceRecordSets'])
  })
})

test.each([
  ['a CNAME becomes an alias', ['x.org'], [elb]],
  ['an alias becomes a CNAME', [elb], ['x.org']],
])('%s although a list omitted the earlier form', async (_, before, after) => {
  const { account, zone, plain, reconcile } = await setUp({
    ResourceRecordSet: (sets, count) => (count === 1 ? [] : sets),
  })
  const record = (values: string[]) => recordOf({ spec: { recordType: 'CNAME', values }, statusZone: zone })
  await plain.reconcile(record(before))
  expect(await reconcile(record(after))).toMatchObject({ kind: 'done' })
  expect(await account.records(zone)).toEqual([expect.stringContaining(after[0] ?? '')])
})

describe('a walk over several pages of hosted zones that omits one', () => {
  /** More than a page of zones: the fitting one is on the second page. */
  const omitting = async () => {
    const aws = createAws()
    addHostedZone(aws.account(), { name: 'example.com', id: 'ZPARENT' })
    for (let index = 0; index < 100; index++)
      addHostedZone(aws.account(), { name: `zone-${index}.org`, id: `Z${index}` })
    addHostedZone(aws.account(), { name: 'foo.example.com', id: 'ZFOO' })
    const account = route53Account(aws)
    const HostedZone: EditList = (zones, count) =>
      count === 2 ? zones.filter(zone => !zone.includes('ZFOO')) : zones
    return { account, ...stepsOver(editedLists(aws.requestHandler, { HostedZone })) }
  }
  const spec = { name: 'api.foo.example.com' }

  test('does not let the record go to a shorter one', async () => {
    const { account, reconcile } = await omitting()
    await reconcile(recordOf({ spec }))
    expect(await account.records('ZFOO')).toHaveLength(1)
    expect(await account.records('ZPARENT')).toEqual([])
  })

  test('does not end the deletion of an object that names no zone', async () => {
    const { account, remove } = await omitting()
    await account.change('ZFOO', {
      Action: 'CREATE',
      ResourceRecordSet: { Name: spec.name, Type: 'A', TTL: 120, ResourceRecords: [{ Value: '1.2.3.4' }] },
    })
    await remove(recordOf({ spec }))
    expect(await account.records('ZFOO')).toEqual([])
  })
})

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'records live as usual with small, repeating and shuffled pages of seed %i',
  async seed => {
    const aws = createAws({ shuffleLists: seed, pages: { seed, omitted: 0 } })
    for (const id of ['ZPARENT', 'ZFOO', 'ZBAR'])
      addHostedZone(aws.account(), {
        name: id === 'ZPARENT' ? 'example.com' : `${id.slice(1).toLowerCase()}.example.com`,
        id,
      })
    const { reconcile, remove } = stepsOver(aws.requestHandler)
    const all = records.map(([, parts], index) => {
      const record = recordOf({ ...parts, spec: { ...parts.spec, name: `r${index}.foo.example.com` } })
      return { ...record, metadata: { ...record.metadata, name: `r${index}`, uid: `uid-${index}` } }
    })
    const known = all.map(record => ({ ...record, status: { zone: 'ZFOO' } }))
    const stored = () =>
      hostedZones(aws.account()).flatMap(({ id, recordSets }) =>
        recordSets.flatMap(({ Name, Type }) =>
          Type === 'SOA' || Type === 'NS' ? [] : [`${id} ${Type} ${Name}`],
        ),
      )
    await Promise.all(all.map(record => reconcile(record)))
    expect(stored()).toHaveLength(7)
    expect(stored().every(line => line.startsWith('ZFOO'))).toBe(true)
    const changes = () => aws.calls.all().filter(({ action }) => action === 'ChangeResourceRecordSets').length
    const before = changes()
    await Promise.all(known.map(record => reconcile(record)))
    expect(changes()).toBe(before)
    await Promise.all(known.map(record => remove(record)))
    expect(stored()).toEqual([])
  },
)
