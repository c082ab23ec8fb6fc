import {
  type Change,
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
  type ResourceRecordSet,
  type Route53Client,
} from '@aws-sdk/client-route-53'
import { beforeEach, describe, expect, test } from 'vitest'
import { type VirtualClock, virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf, route53Of } from '../../testing/clients.ts'

let clock: VirtualClock
let client: Route53Client
let zone: string

beforeEach(async () => {
  clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  client = route53Of(createAws({ clock }))
  const made = await client.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: '1' }))
  zone = String(made.HostedZone?.Id)
})

const send = (Changes: Change[], HostedZoneId = zone) =>
  client.send(
    new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes, Comment: 'test' } }),
  )
const upsert = (set: ResourceRecordSet) => send([{ Action: 'UPSERT', ResourceRecordSet: set }])
const a = (Name: string, Type: 'A' | 'AAAA' = 'A'): ResourceRecordSet => ({
  Name,
  Type,
  TTL: 60,
  ResourceRecords: [{ Value: Type === 'A' ? '1.2.3.4' : '::1' }],
})
const list = async (input: Partial<ListResourceRecordSetsCommandInput> = {}) =>
  client.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone, ...input }))
const shown = (sets: readonly ResourceRecordSet[] | undefined) =>
  sets?.map(set => `${set.Name} ${set.Type}${set.SetIdentifier === undefined ? '' : ` ${set.SetIdentifier}`}`)

describe('records', () => {
  test('records are listed by reversed labels, then by type', async () => {
    for (const name of ['www.example.com', 'a.b.example.com', 'b.example.com', '*.example.com']) {
      await upsert(a(name))
    }
    await upsert(a('b.example.com', 'AAAA'))
    expect(shown((await list()).ResourceRecordSets)).toEqual([
      'example.com. NS',
      'example.com. SOA',
      '\\052.example.com. A',
      'b.example.com. A',
      'b.example.com. AAAA',
      'a.b.example.com. A',
      'www.example.com. A',
    ])
  })

  test.each([
    [{ StartRecordName: 'b.example.com' }, ['b.example.com. A', 'b.example.com. AAAA', 'c.example.com. A']],
    [
      { StartRecordName: 'B.example.com.', StartRecordType: 'AAAA' as const },
      ['b.example.com. AAAA', 'c.example.com. A'],
    ],
    [{ StartRecordName: 'bb.example.com' }, ['c.example.com. A']],
    [{ StartRecordName: 'zzz.example.com' }, []],
    [{ StartRecordName: 'b.example.com', MaxItems: 1 }, ['b.example.com. A']],
  ])('records are listed from %o on', async (input, expected) => {
    for (const set of [a('b.example.com'), a('b.example.com', 'AAAA'), a('c.example.com')]) await upsert(set)
    expect(shown((await list(input)).ResourceRecordSets)).toEqual(expected)
  })

  test('each page begins where the previous one ended', async () => {
    for (const [identifier, Weight] of [
      ['blue', 1],
      ['green', 2],
    ] as const) {
      await upsert({ ...a('w.example.com'), SetIdentifier: identifier, Weight })
    }
    const first = await list({ MaxItems: 3 })
    const second = await list({
      MaxItems: 3,
      StartRecordName: first.NextRecordName,
      StartRecordType: first.NextRecordType,
      StartRecordIdentifier: first.NextRecordIdentifier,
    })
    expect(first).toMatchObject({
      IsTruncated: true,
      MaxItems: 3,
      NextRecordName: 'w.example.com.',
      NextRecordType: 'A',
      NextRecordIdentifier: 'green',
    })
    expect(shown(first.ResourceRecordSets)?.at(-1)).toBe('w.example.com. A blue')
    expect(shown(second.ResourceRecordSets)).toEqual(['w.example.com. A green'])
    expect(second.IsTruncated).toBe(false)
  })

  test('a page has at most 300 records', async () => {
    const sets = Array.from({ length: 400 }, (_, index) =>
      a(`r${String(index).padStart(3, '0')}.example.com`),
    )
    await send(sets.map(ResourceRecordSet => ({ Action: 'CREATE', ResourceRecordSet })))
    const page = await list({ MaxItems: 1000 })
    expect(page.ResourceRecordSets).toHaveLength(300)
    expect(page).toMatchObject({ IsTruncated: true, NextRecordName: 'r298.example.com.' })
  })

  test('a refused batch lists every reason in one message', async () => {
    const error = await failureOf(
      send([
        { Action: 'DELETE', ResourceRecordSet: a('x.example.com') },
        { Action: 'DELETE', ResourceRecordSet: a('y.example.com') },
      ]),
    )
    expect(error).toMatchObject({
      name: 'InvalidChangeBatch',
      message:
        "[Tried to delete resource record set [name='x.example.com.', type='A'] but it was not found, Tried to delete resource record set [name='y.example.com.', type='A'] but it was not found]",
      $metadata: { httpStatusCode: 400 },
    })
  })

  test.each<[title: string, set: ResourceRecordSet, message: string]>([
    [
      'without content',
      { Name: 'a.example.com', Type: 'A' },
      'Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found none in Change with [Action=UPSERT, Name=a.example.com, Type=A, SetIdentifier=null]',
    ],
    [
      'without a TTL',
      { Name: 'a.example.com', Type: 'A', ResourceRecords: [{ Value: '1.2.3.4' }] },
      'Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found none in Change with [Action=UPSERT, Name=a.example.com, Type=A, SetIdentifier=null]',
    ],
    [
      'with an alias and a TTL',
      {
        Name: 'a.example.com',
        Type: 'A',
        TTL: 0,
        AliasTarget: {
          HostedZoneId: 'Z32O12XQLNTSW2',
          DNSName: 'x.eu-west-1.elb.amazonaws.com',
          EvaluateTargetHealth: true,
        },
      },
      'Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found more than one in Change with [Action=UPSERT, Name=a.example.com, Type=A, SetIdentifier=null]',
    ],
    [
      'with a weight and no identifier',
      { ...a('a.example.com'), Weight: 1 },
      "Invalid request: Missing field 'SetIdentifier' in Change with [Action=UPSERT, Name=a.example.com, Type=A, SetIdentifier=null]",
    ],
    [
      'with an empty list of values',
      { Name: 'a.example.com', Type: 'A', TTL: 1, ResourceRecords: [] },
      "Invalid XML ; javax.xml.stream.XMLStreamException: org.xml.sax.SAXParseException; cvc-complex-type.2.4.b: The content of element 'ResourceRecords' is not complete. One of '{\"https://route53.amazonaws.com/doc/2013-04-01/\":ResourceRecord}' is expected.",
    ],
  ])('a record %s is refused', async (_, set, message) => {
    expect(await failureOf(upsert(set))).toMatchObject({ name: 'InvalidInput', message })
  })

  test('a change is pending for a minute, then in sync', async () => {
    const { ChangeInfo } = await upsert(a('a.example.com'))
    const status = async () =>
      (await client.send(new GetChangeCommand({ Id: String(ChangeInfo?.Id) }))).ChangeInfo?.Status
    expect(ChangeInfo).toMatchObject({
      Status: 'PENDING',
      Comment: 'test',
      SubmittedAt: new Date(clock.now()),
    })
    await clock.advance(59_999)
    expect(await status()).toBe('PENDING')
    await clock.advance(1)
    expect(await status()).toBe('INSYNC')
    expect(await failureOf(client.send(new GetChangeCommand({ Id: 'CUNKNOWN' })))).toMatchObject({
      name: 'NoSuchChange',
    })
  })
})
