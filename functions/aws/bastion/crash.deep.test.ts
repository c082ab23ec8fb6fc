import { expect, test } from 'vitest'
import { dyingAt } from '../../../shared/lifecycle/testing/dying-at.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { startAccount, type TestAccount } from './testing/account.ts'
import { clusterOf } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

const setUp = async () => {
  const account = startAccount()
  await account.makeNetwork()
  return { account, steps: stepsOver(account.aws.requestHandler, account.clock) }
}

/** Runs the steps of a creation until one is cut off at its n-th call. Returns true if that happened. */
const cutOff = async (
  { account, steps }: Awaited<ReturnType<typeof setUp>>,
  n: number,
  when: 'before' | 'after',
): Promise<boolean> => {
  const dying = dyingAt(n, when)
  for (let count = 0; count < 30; count++) {
    const result = await steps.step('reconcile', dying.interference).catch((error: unknown) => {
      if (dying.died()) return undefined
      throw error
    })
    if (dying.died()) return true
    if (result?.kind !== 'continue') return false
    await account.clock.advance(result.afterMs)
  }
  throw new Error('neither dead nor done after 30 steps')
}

const shapeOf = async ({ groups, instances }: TestAccount) => ({
  instances: (await instances()).map(({ Tags, SecurityGroups = [] }) => [Tags, SecurityGroups.length]),
  groups: (await groups()).map(({ GroupName, IpPermissions = [], IpPermissionsEgress = [] }) =>
    [GroupName, IpPermissions.length, IpPermissionsEgress.length].join(' '),
  ),
})

test.each(['before', 'after'] as const)(
  'a Bastion that is recreated after a process died %s any call takes over and leaves nothing behind',
  async when => {
    const whole = await setUp()
    const empty = await shapeOf(whole.account)
    let n = 0
    for (let died = true; died; ) {
      n++
      const [world, deleted] = [await setUp(), await setUp()]
      died = await cutOff(world, n, when)
      await recreatedIn(world.account).until('reconcile')
      expect(await world.account.instances(), `call ${n}`).toHaveLength(1)
      await recreatedIn(world.account).until('remove')
      expect(await shapeOf(world.account), `call ${n}, deleted later`).toEqual(empty)
      await cutOff(deleted, n, when)
      await recreatedIn(deleted.account).until('remove')
      expect(await shapeOf(deleted.account), `call ${n}, deleted`).toEqual(empty)
    }
    expect(n).toBeGreaterThan(10)
  },
)

const recreatedIn = ({ aws, clock }: TestAccount) =>
  stepsOver(aws.requestHandler, clock, { metadata: { uid: 'another' } })

/** EC2 that does not yet list an instance that it has started. */
const notListing = (inner: AwsRequestHandler): AwsRequestHandler => ({
  handle: (request, options) => {
    const body = String(request.body)
    if (!body.includes('Action=DescribeInstances&')) return inner.handle(request, options)
    const other = { body: body.replace('-bastion', '-nothing') }
    return inner.handle(Object.assign(Object.create(Object.getPrototypeOf(request)), request, other), options)
  },
})

test('a machine that EC2 has started but does not list yet is started once', async () => {
  const { account, steps } = await setUp()
  await steps.step('reconcile')
  const [only] = await account.instances()
  const next = stepsOver(notListing(account.aws.requestHandler), account.clock)
  await next.step('reconcile')
  expect((await account.instances()).map(({ InstanceId }) => InstanceId)).toEqual([only?.InstanceId])
})

test('a machine with a changed request in the meantime is no error, and both are found later', async () => {
  const { account, steps } = await setUp()
  await steps.step('reconcile')
  const cluster = clusterOf({ cloudProfile: { bastion: { machineType: { name: 'm5.large' } } } })
  const next = stepsOver(notListing(account.aws.requestHandler), account.clock, {}, { cluster })
  await next.step('reconcile')
  expect(await account.instances()).toHaveLength(2)
  await steps.until('remove')
  expect(await account.instances()).toEqual([])
})
