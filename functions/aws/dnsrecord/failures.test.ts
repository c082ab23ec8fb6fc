import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { RequeueAfterError, StepExpiredError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { route53Account } from './testing/route53-account.ts'
import { accessKey, failureOf, passing, recordOf, secretAccessKey, stepsOver } from './testing/steps.ts'

const setUp = async () => {
  const aws = shuffledAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  return { aws, account, zone, ...stepsOver(aws.requestHandler) }
}

const metadataOf = (index: number) => ({
  name: `r${index}`,
  namespace: 'shoot--foo--bar',
  uid: `uid-${index}`,
})

describe('the user gets an error, and no request is made, when', () => {
  test.each<[string, Partial<DNSRecord['spec']>, string]>([
    ['an IPv6 address is in an A record', { values: ['::1'] }, 'spec.values[0]: expected an IPv4 address'],
    [
      'an IPv4 address is in an AAAA record',
      { recordType: 'AAAA' },
      'spec.values[0]: expected an IPv6 address',
    ],
    [
      'a CNAME has two values',
      { recordType: 'CNAME', values: ['a.org', 'b.org'] },
      'spec.values: expected exactly one value',
    ],
    [
      'a CNAME has an address with a space',
      { recordType: 'CNAME', values: ['a b'] },
      'spec.values[0]: expected a fully qualified domain name',
    ],
    ['there is no value', { values: [] }, 'spec.values: expected at least one value'],
    ['the time to live is negative', { ttl: -1 }, 'spec.ttl: expected 0 to 2147483647 seconds'],
    ['the zone is empty', { zone: '' }, 'spec.zone: expected the id of a zone'],
    ['the zone is no id', { zone: '../../x' }, 'spec.zone: expected the id of a Route 53 hosted zone'],
    ['the name is none', { name: 'a b.example.com' }, 'spec.name: expected a domain name'],
    ['the region is none', { region: 'evil.org/' }, 'spec.region: "evil.org/" is not an AWS region'],
  ])('%s', async (_, spec, message) => {
    const { account, reconcile } = await setUp()
    const error = await failureOf(reconcile(recordOf({ spec })))
    expect(error.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error.message).toContain(message)
    expect(account.actions()).toEqual([])
  })

  test.each([
    ['has no access key', { region: 'eu-west-1' }],
    ['has no secret key', { accessKeyID: 'AKIAEXAMPLE' }],
    ['names a region that is none', { ...accessKey, region: 'eu west' }],
  ])('the Secret %s', async (_, secret) => {
    const { account, reconcile } = await setUp()
    const error = await failureOf(reconcile(recordOf(), { secret }))
    expect(error.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error.message).toContain('Secret shoot--foo--bar/dns')
    expect(account.actions()).toEqual([])
  })
})

describe('an error of AWS', () => {
  test('a name without a zone in the account is a configuration problem', async () => {
    const { reconcile } = await setUp()
    const error = await failureOf(reconcile(recordOf({ spec: { name: 'api.example.net' } })))
    expect(error.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error.message).toContain('cannot choose the hosted zone of api.example.net')
  })

  test.each([
    ['spec', { spec: { zone: 'ZGONE000000000' } }, 'or remove it to select the zone by name'],
    ['status', { statusZone: 'ZGONE000000000' }, 'The zone comes from status.zone. Set spec.zone'],
  ])('a missing zone of the %s is a configuration problem, with advice', async (_, parts, advice) => {
    const { reconcile } = await setUp()
    const error = await failureOf(reconcile(recordOf(parts)))
    expect(error.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error.message).toMatch(
      /^reading the records of api\.example\.com in hosted zone ZGONE000000000: NoSuchHostedZone: /,
    )
    expect(error.message).toContain(advice)
  })

  test('a name outside of the zone is a configuration problem', async () => {
    const { zone, reconcile } = await setUp()
    const error = await failureOf(reconcile(recordOf({ spec: { zone, name: 'api.example.net' } })))
    expect(error.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error.message).toContain('is not permitted in zone')
    expect(error.message).toContain('Set spec.zone to a hosted zone that contains this name')
  })

  test('foreign addresses next to a desired CNAME are retained, and the error has the reason of Route 53', async () => {
    const { account, zone, reconcile } = await setUp()
    await reconcile(recordOf({ statusZone: zone }))
    const wanted = recordOf({ spec: { recordType: 'CNAME', values: ['x.org'] }, statusZone: zone })
    const error = await failureOf(reconcile(wanted))
    expect(error.message).toMatch(/InvalidChangeBatch: .*conflicts with other records/)
    expect(await account.records(zone)).toEqual(['A api.example.com. 120 1.2.3.4'])
  })

  test('a missing permission', async () => {
    const { aws, zone, reconcile } = await setUp()
    aws.account().register({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey, allow: ['route53:List*'] })
    const error = await failureOf(reconcile(recordOf({ statusZone: zone })))
    expect(error.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect(error.message).toMatch(
      /^changing the records of api\.example\.com in hosted zone \w+: AccessDenied: User: .* is not authorized/,
    )
  })

  test('an unknown access key', async () => {
    const { reconcile } = stepsOver(shuffledAws({ anyCredentials: false }).requestHandler)
    const error = await failureOf(reconcile(recordOf({ statusZone: 'Z1' })))
    expect(error.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect(error.message).toContain('InvalidClientTokenId')
  })

  test('a wrong secret key', async () => {
    const { aws, zone, reconcile } = await setUp()
    aws.account().register({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'another' })
    const error = await failureOf(reconcile(recordOf({ statusZone: zone })))
    expect(error.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect(error.message).toContain('SignatureDoesNotMatch')
  })

  test('a deletion without permission fails', async () => {
    const { aws, zone, reconcile, remove } = await setUp()
    await reconcile(recordOf({ statusZone: zone }))
    aws.account().register({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey, allow: ['route53:List*'] })
    const error = await failureOf(remove(recordOf({ statusZone: zone })))
    expect(error.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
  })

  test('a deletion fails if the zones of the account cannot be listed', async () => {
    const { aws, remove } = await setUp()
    aws.account().register({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey, allow: [] })
    const error = await failureOf(remove(recordOf()))
    expect(error.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
  })
})

describe('throttling', () => {
  const throttleAll = { service: 'route53', times: null, effect: { kind: 'throttle' } } as const
  const recordAt = (zone: string, index: number) => ({
    ...recordOf({ spec: { name: `r${index}.example.com` }, statusZone: zone }),
    metadata: metadataOf(index),
  })

  test.each(['ListHostedZones', 'ListResourceRecordSets', 'ChangeResourceRecordSets'])(
    'of %s by AWS makes the step continue later, without an error and with the reason',
    async action => {
      const { aws, clock, account, reconcile } = await setUp()
      aws.faults.add({ ...throttleAll, action })
      const outcome = await passing(clock, reconcile(recordOf()))
      expect(outcome).toMatchObject({
        kind: 'continue',
        description: expect.stringMatching(
          /^Waiting about \d+ s for its turn at Route 53: 0 other calls are first, and this process makes [\d.]+ calls per second, because AWS throttles the account$/,
        ),
      })
      const calls = account.actions().filter(called => called === action)
      expect(calls.length).toBeGreaterThanOrEqual(2)
      // Random: 7 to 17 in 160 runs.
      expect(calls.length).toBeLessThanOrEqual(40)
    },
  )

  test('once is solved by another attempt of the same step', async () => {
    const { aws, clock, account, zone, reconcile } = await setUp()
    aws.faults.add({ service: 'route53', action: 'ChangeResourceRecordSets', effect: { kind: 'throttle' } })
    expect(await passing(clock, reconcile(recordOf({ statusZone: zone })))).toMatchObject({ kind: 'done' })
    expect(await account.records(zone)).toHaveLength(1)
  })

  test('of a call for many records makes all of them continue later', async () => {
    const { aws, clock, zone, reconcile } = await setUp()
    aws.faults.add(throttleAll)
    const steps = [0, 1, 2, 3].map(index => reconcile(recordAt(zone, index)))
    const outcomes = await passing(clock, Promise.all(steps))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['continue', 'continue', 'continue', 'continue'])
    aws.faults.clear()
    // The times are random: a step may have to wait once more.
    let left = [0, 1, 2, 3]
    for (let round = 0; left.length > 0 && round < 20; round++) {
      await clock.advance(60_000)
      const again = left.map(index => reconcile(recordAt(zone, index), { resumed: true }))
      const results = await passing(clock, Promise.all(again))
      left = left.filter((_, nth) => results[nth]?.kind !== 'done')
    }
    expect(left).toEqual([])
  })
})

describe('records of one zone', () => {
  const recordAt = (zone: string, index: number) => ({
    ...recordOf({ spec: { name: `r${index}.example.com` }, statusZone: zone }),
    metadata: metadataOf(index),
  })
  const steps = (
    { reconcile }: Pick<Awaited<ReturnType<typeof setUp>>, 'reconcile'>,
    zone: string,
    count: number,
  ) => Promise.allSettled(Array.from({ length: count }, (_, index) => reconcile(recordAt(zone, index))))

  test('share their reads and changes', async () => {
    const { account, zone, reconcile } = await setUp()
    await steps({ reconcile }, zone, 100)
    expect(await account.records(zone)).toHaveLength(100)
    expect(account.actions().length).toBeLessThanOrEqual(6)
  })

  test('are all changed, except the one that Route 53 refuses', async () => {
    const { account, zone, reconcile } = await setUp()
    await account.change(zone, {
      Action: 'CREATE',
      ResourceRecordSet: {
        Name: 'r7.example.com',
        Type: 'CNAME',
        TTL: 1,
        ResourceRecords: [{ Value: 'x.org' }],
      },
    })
    const results = await steps({ reconcile }, zone, 50)
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7])
    expect((await account.records(zone)).filter(line => line.startsWith('A '))).toHaveLength(49)
    expect(account.actions().length).toBeLessThanOrEqual(20)
  })

  test('are removed together, and each absence is proved', async () => {
    const { account, zone, reconcile, remove } = await setUp()
    await steps({ reconcile }, zone, 10)
    await Promise.all(Array.from({ length: 12 }, (_, index) => remove(recordAt(zone, index))))
    expect(await account.records(zone)).toEqual([])
  })

  test('are not changed by a step whose time is over, and the others are', async () => {
    const { account, zone, reconcile } = await setUp()
    const expired = new StepExpiredError('late')
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        reconcile(recordAt(zone, index), {
          throwIfExpired: () => {
            if (index === 3) throw expired
          },
        }),
      ),
    )
    expect(results[3]).toEqual({ status: 'rejected', reason: expired })
    expect(await account.records(zone)).toHaveLength(4)
  })

  test('with the same name are in separate batches', async () => {
    const { account, zone, reconcile } = await setUp()
    await Promise.all(
      ['1.1.1.1', '2.2.2.2', '3.3.3.3'].map((value, index) =>
        reconcile({
          ...recordOf({ spec: { values: [value] }, statusZone: zone }),
          metadata: metadataOf(index),
        }),
      ),
    )
    expect(await account.records(zone)).toEqual(['A api.example.com. 120 3.3.3.3'])
    const changes = account.actions().filter(action => action === 'ChangeResourceRecordSets')
    expect(changes).toHaveLength(3)
  })

  test('with more values than a request may have are in several batches', async () => {
    const { aws, account, zone, reconcile } = await setUp()
    const long = (index: number) => ({
      ...recordOf({
        spec: {
          name: `r${index}.example.com`,
          recordType: 'TXT',
          values: ['x'.repeat(250), 'y'.repeat(250)],
        },
        statusZone: zone,
      }),
      metadata: metadataOf(index),
    })
    await Promise.all(Array.from({ length: 60 }, (_, index) => reconcile(long(index))))
    expect(await account.records(zone)).toHaveLength(60)
    const batches = aws.calls.all().filter(({ action }) => action === 'ChangeResourceRecordSets')
    expect(batches).toHaveLength(2)
  })

  test('with other credentials make their own calls', async () => {
    const { aws, account, zone, reconcile } = await setUp()
    aws.account().register({ accessKeyId: 'AKIAREADER', secretAccessKey, allow: ['route53:List*'] })
    const secret = { accessKeyID: 'AKIAREADER', secretAccessKey }
    const results = await Promise.allSettled([
      reconcile(recordAt(zone, 0)),
      reconcile(recordAt(zone, 1), { secret }),
      reconcile(recordAt(zone, 2)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await account.records(zone)).toHaveLength(2)
  })
})

describe('a connection', () => {
  test('that breaks once is retried', async () => {
    const { aws, account, zone, reconcile } = await setUp()
    aws.faults.add({
      service: 'route53',
      when: 'after',
      action: 'ChangeResourceRecordSets',
      effect: { kind: 'drop' },
    })
    await reconcile(recordOf({ statusZone: zone }))
    expect(await account.records(zone)).toHaveLength(1)
  })

  test('that breaks after a deletion took effect counts as success', async () => {
    const { aws, account, zone, reconcile, remove } = await setUp()
    await reconcile(recordOf({ statusZone: zone }))
    aws.faults.add({
      service: 'route53',
      when: 'after',
      action: 'ChangeResourceRecordSets',
      effect: { kind: 'drop' },
    })
    expect(await remove(recordOf({ statusZone: zone }))).toEqual({ kind: 'done' })
    expect(await account.records(zone)).toEqual([])
  })

  test('that remains broken is an error without a code', async () => {
    const { aws, zone, reconcile } = await setUp()
    aws.faults.add({ times: null, effect: { kind: 'drop' } })
    const error = await failureOf(reconcile(recordOf({ statusZone: zone })))
    expect(error).not.toBeInstanceOf(RequeueAfterError)
    expect(error.codes).toBeUndefined()
    expect(error.message).toMatch(/^reading the records of api\.example\.com in hosted zone \w+: /)
  })
})

test('an error, its causes and log lines contain no secret value', async () => {
  const { aws, zone, reconcile, remove, lines } = await setUp()
  aws.account().register({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'another' })
  const token = 'planted-web-identity-token'
  const errors = [
    await failureOf(reconcile(recordOf({ statusZone: zone }))),
    await failureOf(remove(recordOf())),
    await failureOf(
      reconcile(recordOf(), { secret: { token, roleARN: 'arn:aws:iam::123456789012:role/dns' } }),
    ),
    await failureOf(reconcile(recordOf(), { secret: { secretAccessKey } })),
    await failureOf(reconcile(recordOf(), { secret: { token, config: token } })),
  ]
  aws.account().revoke('AKIAEXAMPLE')
  aws.faults.add({
    times: null,
    effect: { kind: 'error', code: 'Odd', message: `you sent ${secretAccessKey}` },
  })
  errors.push(await failureOf(reconcile(recordOf({ statusZone: zone }))))
  const shown = inspect([errors, lines], { depth: null, showHidden: true })
  expect(shown).toContain('you sent <hidden>')
  expect(shown).not.toContain('planted')
})
