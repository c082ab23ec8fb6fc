import { afterEach, describe, expect, test } from 'vitest'
import { addHostedZone } from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import {
  type LiveRecord,
  newAws,
  startTestSeed,
  type TestSeed,
  type TestSeedOptions,
  zoneId,
} from './harness.ts'
import { accessKey, type RecordSpec } from './shoot.ts'

const seeds: TestSeed[] = []
const start = async (options?: TestSeedOptions): Promise<TestSeed> => {
  const seed = await startTestSeed({ kinds: ['DNSRecord'], ...options })
  seeds.push(seed)
  return seed
}
afterEach(async () => {
  for (const seed of seeds.splice(0)) await seed.close()
})

/** The error fields that a user of the shoot sees. */
const reportedOf = ({ status }: LiveRecord) => ({
  codes: status?.lastError?.codes,
  description: status?.lastError?.description,
})

const keyId = accessKey.AWS_ACCESS_KEY_ID ?? ''
const secretAccessKey = accessKey.AWS_SECRET_ACCESS_KEY ?? ''

interface Case {
  readonly what: string
  readonly seed: () => TestSeedOptions
  readonly spec?: RecordSpec
  readonly codes: readonly string[]
  readonly description: RegExp
}

const cases: readonly Case[] = [
  {
    what: 'an account without a hosted zone for the name',
    seed: () => ({ withoutZone: true }),
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    description:
      /cannot choose the hosted zone of api\.rose\.example\.com: the account has no zone .* set spec\.zone$/,
  },
  {
    what: 'a hosted zone that does not exist',
    seed: () => ({}),
    spec: { zone: 'ZGONE000000000' },
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    description: /in hosted zone ZGONE000000000: NoSuchHostedZone: /,
  },
  {
    what: 'a name outside of the hosted zone',
    seed: () => ({}),
    spec: { zone: zoneId, name: 'api.example.net' },
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    description: /api\.example\.net\. is not permitted in zone example\.com\./,
  },
  {
    what: 'an access key that may read but not change',
    seed: () => {
      const aws = newAws()
      aws.account().register({ accessKeyId: keyId, secretAccessKey, allow: ['route53:List*'] })
      return { aws }
    },
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    description: /changing the records of .*: AccessDenied: User: .* is not authorized/,
  },
  {
    what: 'an access key that AWS does not know',
    seed: () => {
      const aws = shuffledAws({ anyCredentials: false })
      addHostedZone(aws.account(), { name: 'example.com', id: zoneId })
      return { aws }
    },
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    description: /InvalidClientTokenId/,
  },
  {
    what: 'a wrong secret key',
    seed: () => {
      const aws = newAws()
      aws.account().register({ accessKeyId: keyId, secretAccessKey: 'another' })
      return { aws }
    },
    codes: ['ERR_INFRA_UNAUTHORIZED'],
    description: /SignatureDoesNotMatch/,
  },
]

describe('the user sees the error of', () => {
  test.each(cases)('$what', async ({ seed: options, spec, codes, description }) => {
    const seed = await start(options())
    await seed.create('api', spec)
    const live = await seed.untilError('api')
    expect(live.status?.lastOperation).toMatchObject({ type: 'Create', state: 'Error', progress: 50 })
    expect(reportedOf(live)).toEqual({ codes, description: expect.stringMatching(description) })
    expect(live.status?.lastError?.description).toBe(live.status?.lastOperation?.description)
    expect(live.status?.observedGeneration).toBe(1)
    expect(seed.records()).toEqual([])
  })
})

test('a failed record is created as soon as the cause is gone and the user requests it again', async () => {
  const seed = await start({ withoutZone: true })
  await seed.create('api')
  await seed.untilError('api')
  addHostedZone(seed.aws.account(), { name: 'example.com', id: zoneId })
  await seed.ask('api', 'reconcile')
  const live = await seed.untilReady('api')
  expect(live.status?.lastOperation?.type).toBe('Create')
  expect(live.status?.lastError).toBeUndefined()
  expect(seed.records()).toEqual(['A api.rose.example.com. 120 203.0.113.10'])
})

test('a failed record is retried automatically after a backoff', async () => {
  const seed = await start()
  seed.aws.faults.add({
    service: 'route53',
    action: 'ListHostedZones',
    effect: { kind: 'error', code: 'InvalidInput', message: 'not now', status: 400 },
  })
  await seed.create('api')
  const failed = await seed.untilError('api')
  const live = await seed.untilReady('api')
  expect(failed.status?.lastError?.description).toContain('InvalidInput: not now')
  expect(live.status?.lastError).toBeUndefined()
  expect(seed.changes()).toHaveLength(1)
})
