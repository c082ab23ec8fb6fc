import type { ResourceRecordSet } from '@aws-sdk/client-route-53'
import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { StepExpiredError } from '../../../shared/contract/errors.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { route53Account } from './testing/route53-account.ts'
import { type RecordParts, recordOf, stepsOver } from './testing/steps.ts'

const elb = 'lb-1.eu-west-1.elb.amazonaws.com'
const elbAlias = `-> ${elb}. Z32O12XQLNTSW2`
const list = 'ListResourceRecordSets'
const change = 'ChangeResourceRecordSets'

/** An account with the zone `example.com`. */
const setUp = async () => {
  const aws = shuffledAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const handler: AwsRequestHandler = aws.requestHandler
  return { aws, handler, account, zone, ...stepsOver(handler) }
}

const upsert = (set: ResourceRecordSet) => ({ Action: 'UPSERT' as const, ResourceRecordSet: set })
const simple = (Type: 'A' | 'AAAA' | 'CNAME' | 'TXT', Value: string, Name = 'api.example.com') =>
  upsert({ Name, Type, TTL: 60, ResourceRecords: [{ Value }] })
const alias = (Type: 'A' | 'AAAA', DNSName = elb, HostedZoneId = 'Z32O12XQLNTSW2') =>
  upsert({
    Name: 'api.example.com',
    Type,
    AliasTarget: { DNSName, HostedZoneId, EvaluateTargetHealth: true },
  })

describe('reconciling', () => {
  test.each<[string, RecordParts, string[]]>([
    ['addresses', { spec: { values: ['1.2.3.4', '5.6.7.8'] } }, ['A api.example.com. 120 1.2.3.4 5.6.7.8']],
    [
      'IPv6 addresses',
      { spec: { recordType: 'AAAA', values: ['2001:DB8:0::1'] } },
      ['AAAA api.example.com. 120 2001:DB8:0::1'],
    ],
    [
      'a CNAME',
      { spec: { recordType: 'CNAME', values: ['Target.example.org'], ttl: 300 } },
      ['CNAME api.example.com. 300 Target.example.org'],
    ],
    [
      'texts',
      { spec: { recordType: 'TXT', values: ['a "b"', '"c"'] } },
      ['TXT api.example.com. 120 "a \\"b\\"" "c"'],
    ],
    [
      'a long text',
      { spec: { recordType: 'TXT', values: ['x'.repeat(300)] } },
      [`TXT api.example.com. 120 "${'x'.repeat(255)}" "${'x'.repeat(45)}"`],
    ],
    ['a wildcard', { spec: { name: '*.ingress.example.com' } }, ['A \\052.ingress.example.com. 120 1.2.3.4']],
    [
      'an underscore',
      { spec: { name: '_acme-challenge.example.com', recordType: 'TXT', values: ['t'] } },
      ['TXT _acme-challenge.example.com. 120 "t"'],
    ],
    ['capitals', { spec: { name: 'API.Example.com' } }, ['A api.example.com. 120 1.2.3.4']],
    ['the name of the zone', { spec: { name: 'example.com' } }, ['A example.com. 120 1.2.3.4']],
    ['an alias', { spec: { recordType: 'CNAME', values: [elb] } }, [`A api.example.com. ${elbAlias}`]],
    [
      'an IPv6 alias',
      { spec: { recordType: 'CNAME', values: [elb] }, ipStack: 'ipv6' },
      [`AAAA api.example.com. ${elbAlias}`],
    ],
    [
      'a dual-stack alias',
      { spec: { recordType: 'CNAME', values: [elb] }, ipStack: 'dual-stack' },
      [`A api.example.com. ${elbAlias}`, `AAAA api.example.com. ${elbAlias}`],
    ],
    [
      'an alias to CloudFront',
      { spec: { recordType: 'CNAME', values: ['d1.cloudfront.net'] } },
      ['A api.example.com. -> d1.cloudfront.net. Z2FDTNDATAQYW2'],
    ],
    [
      'an alias at the name of the zone',
      { spec: { name: 'example.com', recordType: 'CNAME', values: [elb] } },
      [`A example.com. ${elbAlias}`],
    ],
  ])(
    'creates %s: the zones, a read of a CNAME, one change, and then one read only',
    async (_, parts, records) => {
      const { account, aws, zone, reconcile } = await setUp()

      const first = await reconcile(recordOf(parts))
      expect(first).toMatchObject({ kind: 'done', status: { zone, state: { zones: [zone] } } })
      const reads = parts.spec?.recordType === 'CNAME' ? [list] : []
      expect(account.actions()).toEqual(['ListHostedZones', ...reads, change])
      expect(await account.records(zone)).toEqual(records)

      aws.calls.clear()
      const second = await reconcile(recordOf({ ...parts, statusZone: zone }))
      expect(second).toEqual(first)
      expect(account.actions()).toEqual([list])
    },
  )

  test('writes other values in one change', async () => {
    const { account, zone, reconcile } = await setUp()
    await account.change(zone, simple('A', '9.9.9.9'))
    await reconcile(recordOf({ statusZone: zone }))
    expect(account.actions()).toEqual([list, change])
    expect(await account.records(zone)).toEqual(['A api.example.com. 120 1.2.3.4'])
  })

  test.each<[string, ReturnType<typeof upsert>[], RecordParts, string[]]>([
    [
      'a CNAME becomes an alias',
      [simple('CNAME', 'x.org')],
      { spec: { recordType: 'CNAME', values: [elb] } },
      [`A api.example.com. ${elbAlias}`],
    ],
    [
      'aliases become a CNAME',
      [alias('A'), alias('AAAA')],
      { spec: { recordType: 'CNAME', values: ['x.org'] }, ipStack: 'dual-stack' },
      ['CNAME api.example.com. 120 x.org'],
    ],
    [
      'an IPv4 alias becomes an IPv6 one',
      [alias('A')],
      { spec: { recordType: 'CNAME', values: [elb] }, ipStack: 'ipv6' },
      [`AAAA api.example.com. ${elbAlias}`],
    ],
    [
      'a dual-stack alias loses IPv6',
      [alias('A'), alias('AAAA')],
      { spec: { recordType: 'CNAME', values: [elb] } },
      [`A api.example.com. ${elbAlias}`],
    ],
  ])('%s in one change', async (_, before, parts, records) => {
    const { account, zone, reconcile } = await setUp()
    await account.change(zone, ...before)
    await reconcile(recordOf({ ...parts, statusZone: zone }))
    expect(account.actions()).toEqual([list, change])
    expect(await account.records(zone)).toEqual(records)
  })

  test('finds the record behind many others', async () => {
    const { account, zone, reconcile } = await setUp()
    const blue = Array.from({ length: 12 }, (_, index) => ({
      Action: 'CREATE' as const,
      ResourceRecordSet: {
        Name: 'api.example.com',
        Type: 'A' as const,
        SetIdentifier: `set-${index}`,
        Weight: 1,
        TTL: 60,
        ResourceRecords: [{ Value: `1.1.1.${index}` }],
      },
    }))
    await account.change(zone, ...blue, alias('AAAA'))
    await reconcile(
      recordOf({ spec: { recordType: 'CNAME', values: [elb] }, ipStack: 'ipv6', statusZone: zone }),
    )
    expect(account.actions()).toEqual([list, list])
  })

  test('chooses the longest zone of all pages, including private ones', async () => {
    const { account, reconcile } = await setUp()
    const inner = await account.createZone('foo.example.com')
    for (let index = 0; index < 110; index++) await account.createZone(`zone-${index}.org`)
    expect(await reconcile(recordOf({ spec: { name: 'api.foo.example.com' } }))).toMatchObject({
      kind: 'done',
      status: { zone: inner },
    })
    // A walk over several pages may omit a zone, so there are two.
    expect(account.actions()).toEqual([...Array(4).fill('ListHostedZones'), change])
  })

  test('moves the record to the zone of the spec', async () => {
    const { account, zone, reconcile } = await setUp()
    const other = await account.createZone('example.com')
    await account.change(zone, simple('A', '1.2.3.4'), simple('TXT', '"x"'))
    await reconcile(recordOf({ spec: { zone: other }, statusZone: zone }))
    expect(account.actions()).toEqual([list, change, list, change])
    expect(await account.records(other)).toHaveLength(1)
    expect(await account.records(zone)).toEqual(['TXT api.example.com. 60 "x"'])
  })

  test('ignores a former zone that is gone', async () => {
    const { account, zone, reconcile } = await setUp()
    const record = recordOf({ spec: { zone }, statusZone: 'ZGONE000000000' })
    expect(await reconcile(record)).toMatchObject({ kind: 'done', status: { zone } })
    expect(account.actions()).toEqual([list, change, list, 'ListHostedZones'])
  })

  test('creates one record from two concurrent steps', async () => {
    const { account, zone, reconcile } = await setUp()
    await Promise.all([reconcile(recordOf({ statusZone: zone })), reconcile(recordOf({ statusZone: zone }))])
    expect(await account.records(zone)).toEqual(['A api.example.com. 120 1.2.3.4'])
  })

  test('changes nothing after the claim has expired', async () => {
    const { account, zone, reconcile } = await setUp()
    const throwIfExpired = () => {
      throw new StepExpiredError('late')
    }
    await expect(reconcile(recordOf({ statusZone: zone }), { throwIfExpired })).rejects.toBeInstanceOf(
      StepExpiredError,
    )
    expect(account.actions()).toEqual([list])
  })

  test('ends with the reason of the abort', async () => {
    const { account, zone, reconcile } = await setUp()
    const reason = new Error('the step took too long')
    const step = reconcile(recordOf({ statusZone: zone }), { signal: AbortSignal.abort(reason) })
    await expect(step).rejects.toBe(reason)
    expect(account.actions()).toEqual([])
  })
})

describe('deleting', () => {
  test.each<[string, ReturnType<typeof upsert>[], RecordParts]>([
    ['the record', [simple('A', '1.2.3.4')], {}],
    ['other values', [simple('A', '9.9.9.9')], {}],
    ['a wildcard', [simple('A', '1.2.3.4', '*.example.com')], { spec: { name: '*.example.com' } }],
    ['a text', [simple('TXT', '"x y"')], { spec: { recordType: 'TXT', values: ['x'] } }],
    ['a CNAME', [simple('CNAME', 'x.org')], { spec: { recordType: 'CNAME', values: ['y.org'] } }],
    ['both aliases', [alias('A'), alias('AAAA')], { spec: { recordType: 'CNAME', values: [elb] } }],
    [
      'the record of a spec that has become invalid',
      [simple('A', '1.2.3.4')],
      { spec: { values: [], ttl: -1 } },
    ],
  ])('deletes %s with one read and one change', async (_, before, parts) => {
    const { account, zone, remove } = await setUp()
    await account.change(zone, ...before)
    expect(await remove(recordOf({ ...parts, statusZone: zone }))).toEqual({ kind: 'done' })
    expect(account.actions()).toEqual([list, change])
    expect(await account.records(zone)).toEqual([])
  })

  test.each<[string, ReturnType<typeof upsert>[], RecordParts]>([
    ['another type', [simple('TXT', '"x"')], {}],
    ['another name', [simple('A', '1.2.3.4', 'apj.example.com')], {}],
    [
      'foreign addresses at the name of a CNAME',
      [simple('A', '1.2.3.4')],
      { spec: { recordType: 'CNAME', values: [elb] } },
    ],
  ])('retains %s', async (_, before, parts) => {
    const { account, zone, remove } = await setUp()
    await account.change(zone, ...before)
    expect(await remove(recordOf({ ...parts, statusZone: zone }))).toEqual({ kind: 'done' })
    expect(account.actions()).toEqual([list, list])
    expect(await account.records(zone)).toHaveLength(1)
  })

  test('deletes a record whose move has not begun', async () => {
    const { account, zone, remove } = await setUp()
    const other = await account.createZone('example.com')
    await account.change(zone, simple('A', '1.2.3.4'))
    expect(await remove(recordOf({ spec: { zone: other }, statusZone: zone }))).toEqual({ kind: 'done' })
    expect(await account.records(zone)).toEqual([])
  })

  test('looks up the zone if nothing names it', async () => {
    const { account, zone, remove } = await setUp()
    await account.change(zone, simple('A', '1.2.3.4'))
    await remove(recordOf())
    expect(account.actions()).toEqual(['ListHostedZones', list, change])
    expect(await account.records(zone)).toEqual([])
  })

  test.each<[string, RecordParts, string[]]>([
    ['the zone of the status is gone', { statusZone: 'ZGONE000000000' }, [list, 'ListHostedZones']],
    ['the zone of the spec is gone', { spec: { zone: 'ZGONE000000000' } }, [list, 'ListHostedZones']],
    ['no zone matches the name', { spec: { name: 'api.example.net' } }, ['ListHostedZones']],
    [
      'the zone of the spec is not an id',
      { spec: { name: 'api.example.net', zone: '../x' } },
      ['ListHostedZones'],
    ],
  ])('succeeds if %s', async (_, parts, actions) => {
    const { account, remove } = await setUp()
    expect(await remove(recordOf(parts))).toEqual({ kind: 'done' })
    expect(account.actions()).toEqual(actions)
  })

  test('deletes the rest if another client deleted a part in between', async () => {
    const { account, handler, zone } = await setUp()
    await account.change(zone, alias('A'), alias('AAAA'))
    let meddled = false
    const { remove } = stepsOver({
      handle: async (request, options) => {
        if (request.method === 'POST' && !meddled) {
          meddled = true
          await account.change(zone, { ...alias('A'), Action: 'DELETE' })
        }
        return handler.handle(request, options)
      },
    })
    expect(
      await remove(recordOf({ spec: { recordType: 'CNAME', values: [elb] }, statusZone: zone })),
    ).toEqual({ kind: 'done' })
    expect(account.actions()).toEqual([change, list, change, list])
    expect(await account.records(zone)).toEqual([])
  })

  test('reads again after one alias was deleted, because the list may have omitted the other', async () => {
    const { account, zone, remove } = await setUp()
    await account.change(zone, alias('A'))
    await remove(recordOf({ spec: { recordType: 'CNAME', values: ['x.org'] }, statusZone: zone }))
    expect(account.actions()).toEqual([list, change, list])
    expect(await account.records(zone)).toEqual([])
  })

  test.each<[string, ReturnType<typeof upsert>, string[]]>([
    ['deleted it in between', { ...simple('A', '1.2.3.4'), Action: 'DELETE' as never }, [change]],
    ['changed it in between', simple('A', '9.9.9.9'), [change, list, change]],
  ])('succeeds when another client %s', async (_, meddling, actions) => {
    const { account, handler, zone } = await setUp()
    await account.change(zone, simple('A', '1.2.3.4'))
    let meddled = false
    const { remove } = stepsOver({
      handle: async (request, options) => {
        if (request.method === 'POST' && !meddled) {
          meddled = true
          await account.change(zone, meddling)
        }
        return handler.handle(request, options)
      },
    })
    expect(await remove(recordOf({ statusZone: zone }))).toEqual({ kind: 'done' })
    expect(account.actions()).toEqual(actions)
    expect(await account.records(zone)).toEqual([])
  })

  test('deletes nothing after the claim has expired', async () => {
    const { account, zone, remove } = await setUp()
    await account.change(zone, simple('A', '1.2.3.4'))
    const throwIfExpired = () => {
      throw new StepExpiredError('late')
    }
    await expect(remove(recordOf({ statusZone: zone }), { throwIfExpired })).rejects.toBeInstanceOf(
      StepExpiredError,
    )
    expect(await account.records(zone)).toHaveLength(1)
  })
})
