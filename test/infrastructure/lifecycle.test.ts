import { expect, test } from 'vitest'
import { accountContents } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import { clusterOf, type ObjectParts, zones } from '../../functions/aws/infrastructure/testing/objects.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { functionSeed } from './function-seed.ts'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 } } })
  const handler: AwsRequestHandler = aws.requestHandler
  const before = await accountContents(handler)
  const seedWith = (options: { parts?: ObjectParts; accessKeyId?: string } = {}) =>
    functionSeed({ aws, clock, ...options })
  return { clock, aws, before, seedWith, contents: () => accountContents(handler) }
}
const writes = ({ aws }: Awaited<ReturnType<typeof setUp>>) =>
  aws.calls.all().filter(({ action }) => !/^(?:Describe|Get|List)/.test(action))

test('an infrastructure is created step by step, and its progress names the awaited resources', async () => {
  const world = await setUp()
  const seed = await world.seedWith()
  await seed.create()
  const reported: string[] = []
  for (let outcome = await seed.next(); outcome !== undefined; outcome = await seed.next()) {
    const last = (await seed.live())?.status?.lastOperation
    reported.push(`${last?.state}: ${last?.description}`)
  }
  expect(new Set(reported.slice(0, -1))).toEqual(
    new Set([expect.stringMatching(/^Processing: Waiting for NAT gateway .* to become available$/)]),
  )
  expect(reported.at(-1)).toBe('Succeeded: Successfully reconciled infrastructure')
})

test('a reconcile without changes costs six requests to the API server and changes nothing in AWS', async () => {
  const world = await setUp()
  const seed = await world.seedWith({ parts: { zones: zones(3) } })
  await seed.create()
  const made = (await seed.converge())?.status
  world.aws.calls.clear()
  await seed.ask('reconcile')
  const before = seed.requests.length
  const again = (await seed.converge())?.status
  expect(seed.requests.length - before).toBe(6)
  expect(writes(world)).toEqual([])
  expect({ ...again, lastOperation: undefined }).toEqual({ ...made, lastOperation: undefined })
})

test('a shoot moves to another seed and back with its state alone, without a change in AWS', async () => {
  const world = await setUp()
  const source = await world.seedWith()
  await source.create()
  const made = await source.converge()
  world.aws.calls.clear()

  await source.ask('migrate')
  const migrated = await source.converge()
  expect(migrated?.metadata.finalizers ?? []).toEqual([])
  expect(migrated?.status?.lastOperation).toMatchObject({ type: 'Migrate', state: 'Succeeded' })

  const target = await world.seedWith()
  await target.create({ state: made?.status?.state })
  const restored = await target.converge()
  expect(writes(world)).toEqual([])
  expect(restored?.status?.lastOperation).toMatchObject({ type: 'Restore', state: 'Succeeded' })
  for (const field of ['state', 'providerStatus', 'networking', 'egressCIDRs'] as const) {
    expect(restored?.status?.[field]).toEqual(made?.status?.[field])
  }

  await target.remove()
  expect(await target.converge()).toBeUndefined()
  expect(await world.contents()).toEqual(world.before)
})

test('a forced deletion retains everything in AWS', async () => {
  const world = await setUp()
  const seed = await world.seedWith()
  await seed.create()
  await seed.converge()
  world.aws.calls.clear()
  await seed.patchCluster({
    spec: {
      shoot: { metadata: { annotations: { 'confirmation.gardener.cloud/force-deletion': 'true' } } },
    },
  })
  await seed.remove()
  expect(await seed.converge()).toBeUndefined()
  expect(world.aws.calls.all()).toEqual([])
})

test('an infrastructure that never had valid credentials can be deleted', async () => {
  const world = await setUp()
  world.aws.account().register({ accessKeyId: 'AKIAWRONG', secretAccessKey: 'another' })
  const seed = await world.seedWith({ accessKeyId: 'AKIAWRONG' })
  await seed.create()
  const failed = await seed.converge()
  expect(failed?.status?.lastError).toMatchObject({
    codes: ['ERR_INFRA_UNAUTHENTICATED', 'ERR_INFRA_UNAUTHORIZED'],
  })
  expect(failed?.status?.lastError?.description).not.toMatch(/request ?id/i)
  expect(failed?.status?.state).toBeUndefined()
  await seed.remove()
  expect(await seed.converge()).toBeUndefined()
})

test('a resource in the config that the account lacks is reported, and nothing is created', async () => {
  const world = await setUp()
  const seed = await world.seedWith({ parts: { vpc: { id: 'vpc-0123' } } })
  await seed.create()
  expect((await seed.converge())?.status?.lastError).toMatchObject({
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    description: expect.stringContaining(
      'spec.providerConfig.networks.vpc.id: expected a VPC of the account in eu-west-1, found no vpc-0123 there',
    ),
  })
  expect(writes(world)).toEqual([])
})

test('a config that does not fit the shoot is reported before any call to AWS', async () => {
  const world = await setUp()
  world.aws.calls.clear()
  const seed = await functionSeed({
    ...world,
    cluster: clusterOf({
      networking: { pods: '10.250.128.0/17' },
      cloudProfile: { spec: { regions: [{ name: 'eu-west-1', zones: [{ name: 'eu-west-1b' }] }] } },
    }),
  })
  await seed.create()
  const description = (await seed.converge())?.status?.lastError?.description
  expect(description).toContain('networks.vpc.cidr: expected a CIDR that does not overlap with the pods CIDR')
  expect(description).toContain(
    'networks.zones[0].name: expected one of the zones of the region (eu-west-1b)',
  )
  expect(world.aws.calls.all()).toEqual([])
})
