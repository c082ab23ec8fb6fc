import { describe, expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { accountContents, withoutIds } from './testing/account-contents.ts'
import { type ObjectParts, zones } from './testing/objects.ts'
import { secretAccessKey, stepsOver } from './testing/steps.ts'

/** An account with the delays of AWS on a virtual clock, and a seed with one Infrastructure. */
const setUp = async (parts: ObjectParts = {}, scale = 1) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale } } })
  const handler: AwsRequestHandler = aws.requestHandler
  const before = await accountContents(handler)
  aws.calls.clear()
  return { aws, clock, handler, before, ...stepsOver(handler, clock, parts) }
}

const isWrite = (action: string): boolean => !/^(?:Describe|Get|List)/.test(action)
const writesOf = ({ aws }: Awaited<ReturnType<typeof setUp>>): readonly string[] =>
  aws.calls
    .all()
    .map(({ action }) => action)
    .filter(isWrite)

describe.each([1, 3])('a shoot with %i zones', count => {
  test('is created, does not change, and is deleted completely', async () => {
    const seed = await setUp({ zones: zones(count) })
    const { aws, before, handler, until, status } = seed
    await until('reconcile')
    expect(aws.calls.all().length).toBeLessThanOrEqual(count === 1 ? 55 : 75)
    const made = status()

    aws.calls.clear()
    await until('reconcile')
    expect(writesOf(seed)).toEqual([])
    expect(aws.calls.all().length).toBeLessThanOrEqual(15)
    expect(status()).toEqual(made)

    aws.calls.clear()
    await until('remove')
    expect(aws.calls.all().length).toBeLessThanOrEqual(count === 1 ? 44 : 62)
    expect(await accountContents(handler)).toEqual(before)
  })
})

/** Makes every call of an action fail with this code. */
const fail = ({ aws }: Pick<Awaited<ReturnType<typeof setUp>>, 'aws'>, action: string, code: string) =>
  aws.faults.add({
    action,
    times: null,
    effect: { kind: 'error', code, message: 'AWS says so.', status: 400 },
  })

describe('errors of AWS are reported in its words, with Gardener’s codes', () => {
  test.each([
    ['a quota', 'CreateVpc', 'VpcLimitExceeded', 'ERR_INFRA_QUOTA_EXCEEDED'],
    ['a permission', 'CreateSubnet', 'UnauthorizedOperation', 'ERR_INFRA_UNAUTHORIZED'],
    ['credentials', 'DescribeVpcs', 'AuthFailure', 'ERR_INFRA_UNAUTHENTICATED'],
    ['a value', 'CreateNatGateway', 'InvalidParameterValue', 'ERR_CONFIGURATION_PROBLEM'],
    ['an account', 'AllocateAddress', 'PendingVerification', 'ERR_INFRA_DEPENDENCIES'],
  ])('%s: %s, %s', async (_, action, code, expected) => {
    const seed = await setUp()
    fail(seed, action, code)
    const error = await failureOf(seed.until('reconcile'))
    expect(error).toMatchObject({ codes: [expected] })
    expect(error.message).toContain(`${action}: ${code}: AWS says so.`)
  })

  test('all parallel failures are reported with all their codes', async () => {
    const seed = await setUp()
    fail(seed, 'CreateVpc', 'VpcLimitExceeded')
    fail(seed, 'AllocateAddress', 'UnauthorizedOperation')
    const error = await failureOf(seed.until('reconcile'))
    expect(error).toMatchObject({ codes: ['ERR_INFRA_QUOTA_EXCEEDED', 'ERR_INFRA_UNAUTHORIZED'] })
    expect(error.message).toMatch(/create VPC.*VpcLimitExceeded/)
    expect(error.message).toMatch(/create elastic address.*UnauthorizedOperation/)
  })

  test('an unknown access key is reported with the codes of EC2 and of STS, which differ', async () => {
    const seed = await setUp()
    fail(seed, 'DescribeVpcs', 'AuthFailure')
    fail(seed, 'GetCallerIdentity', 'InvalidClientTokenId')
    const error = await failureOf(seed.step('reconcile'))
    expect(error).toMatchObject({ codes: ['ERR_INFRA_UNAUTHENTICATED', 'ERR_INFRA_UNAUTHORIZED'] })
    expect(error.message).toContain('DescribeVpcs: AuthFailure')
    expect(error.message).toContain('GetCallerIdentity: InvalidClientTokenId')
  })

  test.each(['DescribeVpcs', 'CreateVpc'])('but throttling of %s only causes a wait', async action => {
    const seed = await setUp()
    fail(seed, action, 'RequestLimitExceeded')
    const outcome = await seed.step('reconcile').catch((error: unknown) => error)
    expect(outcome).toMatchObject(
      action === 'CreateVpc' ? { kind: 'continue', afterMs: 30_000 } : { delayMs: 30_000 },
    )
  })
})

test('a deletion without a state searches for resources, because the state may be lost, and writes nothing', async () => {
  const seed = await setUp()
  await seed.until('remove')
  expect(seed.aws.calls.all()).not.toEqual([])
  expect(writesOf(seed)).toEqual([])
  expect(seed.saves).toEqual([])
})

test.each([
  ['STS knows the key no more', 'GetCallerIdentity', 'InvalidClientTokenId'],
  ['EC2 lets it do nothing', 'DescribeVpcs', 'UnauthorizedOperation'],
])('credentials that never created anything do not block a deletion: %s', async (_, action, code) => {
  const seed = await setUp()
  fail(seed, action, code)
  await seed.until('remove')
  expect(seed.saves).toEqual([])
})

test('without credentials a deletion cannot prove that nothing was created', async () => {
  const { step } = await setUp()
  const error = await failureOf(step('remove', {}, { secret: { token: 'x' } }))
  expect(error).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
})

test('a config that is no longer valid does not block the deletion of existing resources', async () => {
  const { until, change, handler, before } = await setUp()
  await until('reconcile')
  const [zone = {}] = zones(1)
  change({ zones: [{ ...zone, colour: 'red', internal: null }, zone], rest: { hat: 1 } })
  await until('remove')
  expect(await accountContents(handler)).toEqual(before)
})

test('a shoot with a workload identity in its Secret is created in a session of it', async () => {
  const { aws, until } = await setUp()
  const token = [
    '{"alg":"RS256"}',
    JSON.stringify({ iss: 'i', sub: 's', aud: 'sts.amazonaws.com', exp: 4e9 }),
    's',
  ]
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.')
  await until('reconcile', { secret: { token, roleARN: 'arn:aws:iam::123456789012:role/garden' } })
  const callers = new Set(aws.calls.all().map(({ accessKeyId }) => accessKeyId?.slice(0, 4)))
  expect(callers).toEqual(new Set([undefined, 'ASIA']))
})

test('no secret is logged or stored', async () => {
  const { until, lines, saves, status } = await setUp()
  await until('reconcile')
  const all = JSON.stringify([lines, saves, status()])
  expect(all).not.toContain(secretAccessKey)
  expect(all).toContain('VPC')
})

test('new resources have the names that Gardener uses', async () => {
  const { until, handler } = await setUp()
  await until('reconcile')
  expect(withoutIds(await accountContents(handler))).toMatchInlineSnapshot(`
    [
      "DHCP options",
      "DHCP options shoot--foo--bar",
      "NAT gateway shoot--foo--bar-natgw-z0",
      "VPC",
      "VPC shoot--foo--bar",
      "elastic address shoot--foo--bar-eip-natgw-z0",
      "instance profile shoot--foo--bar-nodes",
      "internet gateway",
      "internet gateway shoot--foo--bar",
      "key pair shoot--foo--bar-ssh-publickey shoot--foo--bar",
      "role shoot--foo--bar-nodes",
      "route table",
      "route table",
      "route table shoot--foo--bar",
      "route table shoot--foo--bar-private-eu-west-1a",
      "security group",
      "security group",
      "security group shoot--foo--bar-nodes",
      "subnet",
      "subnet",
      "subnet",
      "subnet shoot--foo--bar-nodes-z0",
      "subnet shoot--foo--bar-private-utility-z0",
      "subnet shoot--foo--bar-public-utility-z0",
    ]
  `)
})

test('a migration that cannot read the account saves the uid of the marks, even if the state has none', async () => {
  const seed = await setUp()
  await seed.until('reconcile')
  const { CreatedFor, ...data } = (seed.status().state as { data: Record<string, string> }).data
  expect(CreatedFor).toBe('shoot-uid')
  const state = { ...(seed.status().state as object), data }
  const older = stepsOver(seed.handler, seed.clock, { status: { ...seed.status(), state } })
  fail(seed, 'DescribeVpcs', 'UnauthorizedOperation')
  await older.step('migrate')
  expect(older.status().state).toMatchObject({ data: { ...data, CreatedFor: 'infrastructure-uid' } })
  expect(JSON.stringify(older.lines)).toContain('cannot be collected')
})

test('an unreadable state does not block a migration', async () => {
  const { step, status } = await setUp({ status: { state: { tfstate: 'x' } } as never })
  await step('migrate')
  expect(status().state).toEqual({ tfstate: 'x' })
})
