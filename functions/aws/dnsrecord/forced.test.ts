import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { route53Account } from './testing/route53-account.ts'
import {
  accessKey,
  failureOf,
  passing,
  type RecordParts,
  recordOf,
  secretAccessKey,
  stepsOver,
} from './testing/steps.ts'

/** A record in Route 53, and steps for its forced deletion. */
const setUp = async () => {
  const aws = shuffledAws()
  const account = route53Account(aws)
  const zone = await account.createZone('example.com')
  const steps = stepsOver(aws.requestHandler)
  await steps.reconcile(recordOf({ statusZone: zone }))
  aws.calls.clear()
  return { aws, account, zone, ...steps }
}
type SetUp = Awaited<ReturnType<typeof setUp>>

const made = ['A api.example.com. 120 1.2.3.4']
const token = { token: 'planted-web-identity-token', roleARN: 'arn:aws:iam::123456789012:role/dns' }

describe('a forced deletion', () => {
  test.each<[string, RecordParts]>([
    ['in the zone of its status', {}],
    ['in a zone that is looked up', { statusZone: '' }],
    ['with other values than the spec', { spec: { values: ['9.9.9.9'] } }],
  ])('deletes a record %s', async (_, parts) => {
    const { account, zone, forceRemove } = await setUp()
    expect(await forceRemove(recordOf({ statusZone: zone, ...parts }))).toEqual({ kind: 'done' })
    expect(await account.records(zone)).toEqual([])
  })

  test.each<
    [
      string,
      {
        readonly given?: (world: SetUp) => void
        readonly parts?: RecordParts
        readonly secret?: Readonly<Record<string, string>> | null
        readonly asksAws?: boolean
      },
    ]
  >([
    ['its Secret is missing or malformed', { secret: null }],
    ['its Secret has no credentials', { secret: { region: 'eu-west-1' } }],
    ['its Secret has half of a key', { secret: { accessKeyID: 'AKIAEXAMPLE' } }],
    ['its Secret names no region', { secret: { ...accessKey, region: 'eu/west' } }],
    ['the object breaks its schema', { parts: { spec: { recordType: 'MX' as 'A' } } }],
    [
      'the key is not known any more',
      {
        given: ({ aws }) =>
          void aws.faults.add({
            accessKeyId: 'AKIAEXAMPLE',
            times: null,
            effect: { kind: 'error', code: 'InvalidClientTokenId', status: 403, message: 'not valid' },
          }),
        asksAws: true,
      },
    ],
    [
      'the key has another secret by now',
      {
        given: ({ aws }) =>
          void aws.account().register({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'another' }),
        asksAws: true,
      },
    ],
    [
      'the key may do nothing',
      {
        given: ({ aws }) =>
          void aws.account().register({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey, allow: [] }),
        asksAws: true,
      },
    ],
    [
      'the role may not be assumed',
      {
        secret: token,
        given: ({ aws }) =>
          void aws.faults.add({
            action: 'AssumeRoleWithWebIdentity',
            times: null,
            effect: { kind: 'error', code: 'AccessDenied', status: 403, message: 'Not authorized' },
          }),
        asksAws: true,
      },
    ],
  ])(
    'succeeds, retains the record and logs it when %s',
    async (_, { given, parts, secret, asksAws = false }) => {
      const world = await setUp()
      given?.(world)
      const record = recordOf({ statusZone: world.zone, ...parts })
      expect(await world.forceRemove(record, secret === undefined ? {} : { secret })).toEqual({
        kind: 'done',
      })
      expect(world.lines).toMatchObject([
        expect.anything(),
        {
          message: 'forced deletion orphans the dns record',
          object: 'shoot--foo--bar/api',
          why: expect.stringMatching(/\w/),
        },
      ])
      expect(world.account.actions().length > 0).toBe(asksAws)
      expect(JSON.stringify(world.lines)).not.toContain('planted')
      expect(await world.account.records(world.zone)).toEqual(made)
    },
  )

  test('succeeds when the zone is gone', async () => {
    const { account, zone, forceRemove, remove } = await setUp()
    await remove(recordOf({ statusZone: zone }))
    await account.deleteZone(zone)
    expect(await forceRemove(recordOf({ statusZone: zone }))).toEqual({ kind: 'done' })
  })

  test('continues after throttling, when AWS permits', async () => {
    const { aws, account, zone, clock, forceRemove } = await setUp()
    aws.faults.add({ service: 'route53', times: null, effect: { kind: 'throttle' } })
    let result = await passing(clock, forceRemove(recordOf({ statusZone: zone })))
    expect(result).toMatchObject({ kind: 'continue' })
    aws.faults.clear()
    // The times are random: a step may have to wait once more.
    for (let step = 0; result?.kind === 'continue' && step < 20; step++) {
      await clock.advance(30_000)
      result = await passing(clock, forceRemove(recordOf({ statusZone: zone }), { resumed: true }))
    }
    expect(await account.records(zone)).toEqual([])
  })

  test.each([
    ['a connection that stays broken', { kind: 'drop' } as const],
    ['an error of AWS itself', { kind: 'error', code: 'InternalFailure', status: 500 } as const],
  ])('is retried after %s', async (_, effect) => {
    const { aws, zone, forceRemove } = await setUp()
    aws.faults.add({ service: 'route53', times: null, effect })
    const error = await failureOf(forceRemove(recordOf({ statusZone: zone })))
    expect(error.codes).toBeUndefined()
  })
})
