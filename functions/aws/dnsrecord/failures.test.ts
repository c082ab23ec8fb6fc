import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { RequeueAfterError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import { route53Account } from './testing/route53-account.ts'
import { accessKey, failureOf, recordOf, secretAccessKey, stepsOver } from './testing/steps.ts'

const setUp = async () => {
  const aws = createAws()
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
    const { reconcile } = stepsOver(createAws({ anyCredentials: false }).requestHandler)
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
  test.each(['ListHostedZones', 'ListResourceRecordSets', 'ChangeResourceRecordSets'])(
    'of %s by AWS, after three attempts, requeues the step after 30 s',
    async action => {
      const { aws, account, reconcile } = await setUp()
      aws.faults.add({ service: 'route53', action, times: null, effect: { kind: 'throttle' } })
      const error = await failureOf(reconcile(recordOf()))
      expect(error).toBeInstanceOf(RequeueAfterError)
      expect(error).toMatchObject({ delayMs: 30_000 })
      expect(error.message).toMatch(/Throttling/)
      expect(account.actions().filter(called => called === action)).toHaveLength(3)
    },
  )

  test('once is solved by the next attempt', async () => {
    const { aws, account, zone, reconcile } = await setUp()
    aws.faults.add({ service: 'route53', action: 'ChangeResourceRecordSets', effect: { kind: 'throttle' } })
    await reconcile(recordOf({ statusZone: zone }))
    expect(await account.records(zone)).toHaveLength(1)
  })

  test('of many records by AWS spreads their retries', async () => {
    const { aws, zone } = await setUp()
    aws.faults.add({ service: 'route53', times: null, effect: { kind: 'throttle' } })
    const slow = stepsOver(aws.requestHandler, { clientQps: 1, clientBurst: 100, waitTimeoutMs: 0 })
    const record = (index: number) => recordOf({ spec: { name: `r${index}.example.com` }, statusZone: zone })
    const errors = await Promise.all(
      [0, 1, 2, 3].map(index => failureOf(slow.reconcile({ ...record(index), metadata: metadataOf(index) }))),
    )
    const delays = errors
      .map(error => (error instanceof RequeueAfterError ? error.delayMs : 0))
      .sort((a, b) => a - b)
    const steps = delays.slice(1).map((delay, index) => delay - (delays[index] ?? 0))
    expect(delays[0]).toBe(30_000)
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1_000)
    expect(delays[3]).toBeLessThanOrEqual(37_000)
  })

  test('by the limit of the process gives each record its own retry time, without a call and without an error', async () => {
    const aws = createAws()
    const account = route53Account(aws)
    const zone = await account.createZone('example.com')
    const clock = virtualClock(0)
    const { reconcile } = stepsOver(
      aws.requestHandler,
      { clientQps: 1, clientBurst: 5, waitTimeoutMs: 2_000 },
      clock,
    )
    const record = (index: number) => ({
      ...recordOf({ spec: { name: `r${index}.example.com` }, statusZone: zone }),
      metadata: metadataOf(index),
    })
    const steps = Promise.all(Array.from({ length: 5 }, (_, index) => reconcile(record(index))))
    await clock.advance(2_000)
    const outcomes = await steps
    // Each takes two calls: two run at once, one after a second. The others would wait more than two seconds.
    expect(outcomes.map(outcome => outcome.kind)).toEqual(['done', 'done', 'done', 'continue', 'continue'])
    expect(outcomes[3]).toMatchObject({
      description: expect.stringMatching(
        /^Waiting about [34] s for the Route 53 rate limit: 0 calls with the same credentials are queued first, at 1 per second$/,
      ),
    })
    const waits = outcomes.map(outcome => (outcome.kind === 'continue' ? outcome.afterMs : 0))
    expect(waits[3]).toBeGreaterThanOrEqual(3_000)
    expect(waits[3]).toBeLessThanOrEqual(4_000)
    expect(waits[4]).toBeGreaterThanOrEqual(5_000)
    expect(waits[4]).toBeLessThanOrEqual(6_000)
    expect(account.actions()).toHaveLength(6)
  })

  test('is not shared with a process that is gone: its waiting records continue at the rate of this one', async () => {
    const aws = createAws()
    const zone = await route53Account(aws).createZone('example.com')
    const settings = { clientQps: 1, clientBurst: 2, waitTimeoutMs: 0 }
    const record = { ...recordOf({ statusZone: zone }), metadata: metadataOf(0) }
    const { reconcile } = stepsOver(aws.requestHandler, settings)
    expect(await reconcile(record, { resumed: true })).toMatchObject({ kind: 'done' })
    expect(await reconcile({ ...record, metadata: metadataOf(1) }, { resumed: true })).toMatchObject({
      kind: 'continue',
    })
  })

  test.each(['reconcile', 'remove'] as const)(
    'saves calls for a %s without changes: it takes one',
    async operation => {
      const aws = createAws()
      const zone = await route53Account(aws).createZone('example.com')
      const record = recordOf({ statusZone: zone })
      if (operation === 'reconcile') await stepsOver(aws.requestHandler).reconcile(record)
      const slow = stepsOver(aws.requestHandler, { clientQps: 1, clientBurst: 5, waitTimeoutMs: 0 })
      for (let round = 0; round < 4; round++) await slow[operation](record)
      expect(await slow[operation](record)).toMatchObject({ kind: 'continue' })
    },
  )

  test('saves calls for an existing record: it takes one, and another only if something differs', async () => {
    const aws = createAws()
    const account = route53Account(aws)
    const zone = await account.createZone('example.com')
    const made = recordOf({ statusZone: zone })
    await stepsOver(aws.requestHandler).reconcile(made)
    const settled: DNSRecord = {
      ...made,
      metadata: { ...made.metadata, generation: 3 },
      status: { zone, observedGeneration: 3 },
    }
    const slow = stepsOver(aws.requestHandler, { clientQps: 1, clientBurst: 5, waitTimeoutMs: 0 })
    for (let round = 0; round < 4; round++) await slow.reconcile(settled)
    await account.change(zone, {
      Action: 'UPSERT',
      ResourceRecordSet: {
        Name: 'api.example.com',
        Type: 'A',
        TTL: 1,
        ResourceRecords: [{ Value: '9.9.9.9' }],
      },
    })
    expect(await slow.reconcile(settled)).toMatchObject({ kind: 'continue', afterMs: expect.any(Number) })
    expect(account.actions()).toEqual(['ListResourceRecordSets'])
    await slow.clock.advance(4_000)
    expect(await slow.reconcile(settled, { resumed: true })).toMatchObject({ kind: 'done' })
    expect(await account.records(zone)).toEqual(['A api.example.com. 120 1.2.3.4'])
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
