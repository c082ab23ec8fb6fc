import { DeleteSecurityGroupCommand, RevokeSecurityGroupIngressCommand } from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { codesOf } from '../../../shared/contract/classify.ts'
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { startAccount } from './testing/account.ts'
import {
  errorAfterWaits,
  errorOf,
  groupName,
  hide,
  minute,
  setUp,
  setUpLate,
  terminate,
} from './testing/late-sight.ts'
import { blocks, clusterOf, infrastructureIn, namespace } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

describe('a resource that EC2 has listed and does not find', () => {
  const missing = [
    ['CreateSecurityGroup', 'InvalidVpcID.NotFound'],
    ['AuthorizeSecurityGroupIngress', 'InvalidGroup.NotFound'],
    ['AuthorizeSecurityGroupEgress', 'InvalidGroup.NotFound'],
    ['RevokeSecurityGroupEgress', 'InvalidGroup.NotFound'],
    ['RunInstances', 'InvalidGroup.NotFound'],
    ['RunInstances', 'InvalidSecurityGroupID.NotFound'],
    ['RunInstances', 'InvalidSubnetID.NotFound'],
  ] as const

  test.each(missing)('in a %s is waited for: %s', async (action, code) => {
    const { aws, step, until, instances } = await setUp()
    const effect = { kind: 'error', code, message: 'it does not exist', status: 400 } as const
    // A refused authorize call is repeated in the same step.
    aws.faults.add({ action, times: action.startsWith('Authorize') ? 2 : 1, effect })
    expect(await step('reconcile')).toMatchObject({
      kind: 'continue',
      description: expect.stringMatching(
        new RegExp(
          `^Waiting until EC2 shows all parts of the bastion everywhere: .*${code}: it does not exist$`,
        ),
      ),
    })
    await until('reconcile')
    expect(await instances()).toHaveLength(1)
  })

  test('is reported with its code after five minutes', async () => {
    const { aws, step, clock } = await setUp()
    const effect = { kind: 'error', code: 'InvalidSubnetID.NotFound', status: 400 } as const
    aws.faults.add({ action: 'RunInstances', times: null, effect })
    const began = clock.now()
    const error = await errorAfterWaits(clock, () => step('reconcile'))
    expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(error.message).toContain('InvalidSubnetID.NotFound')
    expect(clock.now() - began).toBe(300_000)
  })

  test('that the CloudProfile names is reported at once', async () => {
    const { aws, step } = await setUp()
    const effect = { kind: 'error', code: 'InvalidAMIID.NotFound', status: 400 } as const
    aws.faults.add({ action: 'RunInstances', effect })
    expect(codesOf(await errorOf(step('reconcile')))).toEqual(['ERR_CONFIGURATION_PROBLEM'])
  })

  test('and belongs to a predecessor whose deletion it still shows is created again', async () => {
    const account = await setUpLate()
    await account.until('reconcile')
    const former = String((await account.groupNamed(groupName))?.GroupId)
    await account.until('remove')
    const { aws, clock } = account
    const recreated = stepsOver(aws.requestHandler, clock, { metadata: { uid: 'another' } })
    await recreated.until('reconcile')
    expect((await account.groupNamed(groupName))?.GroupId).not.toBe(former)
  })
})

describe('a part of the infrastructure that EC2 does not show', () => {
  const changed = (vpcId: string, at: string, state = 'Succeeded') => {
    const infrastructure = infrastructureIn(vpcId)
    const lastOperation = { state, lastUpdateTime: at }
    return { ...infrastructure, status: { ...(infrastructure.status as object), lastOperation } }
  }

  test.each(['subnet', 'security group'])(
    'is waited for if the Infrastructure has just changed: %s',
    async part => {
      const account = startAccount()
      const { vpcId, subnetId, workers } = await account.makeNetwork()
      const infrastructure = changed(vpcId, new Date(account.clock.now()).toISOString())
      const { step, until } = stepsOver(account.aws.requestHandler, account.clock, {}, { infrastructure })
      hide(account, { id: part === 'subnet' ? subnetId : workers, lasts: 90_000 })
      expect(await step('reconcile')).toMatchObject({
        kind: 'continue',
        description: expect.stringMatching(
          new RegExp(`^Waiting until EC2 shows the ${part} .* of the Infrastructure$`),
        ),
      })
      await until('reconcile')
      expect(await account.instances()).toHaveLength(1)
    },
  )

  test('is a problem of the configuration if the Infrastructure is older, or fails', async () => {
    const account = startAccount()
    const { vpcId, subnetId } = await account.makeNetwork()
    await account.clock.advance(10 * minute)
    hide(account, { id: subnetId, lasts: 60 * minute })
    const now = new Date(account.clock.now()).toISOString()
    for (const infrastructure of [changed(vpcId, '2026-11-21T00:00:00Z'), changed(vpcId, now, 'Error')]) {
      const { step } = stepsOver(account.aws.requestHandler, account.clock, {}, { infrastructure })
      const error = await errorOf(step('reconcile'))
      expect(error.message).toContain('found no subnet')
      expect(codesOf(error)).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    }
  })

  test('is a problem after five minutes, even if the Infrastructure changes again and again', async () => {
    const account = startAccount()
    const { vpcId, subnetId } = await account.makeNetwork()
    hide(account, { id: subnetId, lasts: 60 * minute })
    const infrastructure = changed(vpcId, '2027-01-01T00:00:00Z')
    const { step } = stepsOver(account.aws.requestHandler, account.clock, {}, { infrastructure })
    const error = await errorAfterWaits(account.clock, () => step('reconcile'))
    expect(error.message).toContain('found no subnet')
  })

  test('is no reason to end a deletion in a VPC that cannot be found yet', async () => {
    const account = startAccount()
    const infrastructure = changed('vpc-0123456789abcdef0', new Date(account.clock.now()).toISOString())
    const { step } = stepsOver(account.aws.requestHandler, account.clock, {}, { infrastructure })
    expect(await step('remove')).toMatchObject({
      kind: 'continue',
      description: 'Waiting until EC2 shows the VPC vpc-0123456789abcdef0 of the Infrastructure',
    })
    const error = await errorAfterWaits(account.clock, () => step('remove'))
    expect(error.message).toContain('cannot find the VPC')
  })
})

describe('a new resource that EC2 does not show', () => {
  test('is waited for by its id, and created once', async () => {
    const account = await setUpLate()
    const { step, until, writes, groupNamed, instances, clock } = account
    const first = await step('reconcile')
    const id = (await groupNamed(groupName))?.GroupId
    expect(first).toMatchObject({ description: `Waiting until EC2 shows the security group ${groupName}` })
    await clock.advance(5_000)
    expect(await step('reconcile')).toMatchObject({
      description: `Waiting until EC2 shows the security group ${groupName} (${id})`,
      waitsFor: 'group',
    })
    const { waits } = await until('reconcile')
    const [instance] = await instances()
    expect(waits).toContain(`Waiting until EC2 lists the instance ${instance?.InstanceId}`)
    expect(writes().filter(action => /^(Create|Run)/.test(action))).toEqual([
      'CreateSecurityGroup',
      'RunInstances',
    ])
  })

  test('is not in the way of its own repeated creation', async () => {
    const { aws, step, until, groups, clock } = await setUpLate()
    aws.faults.add({ action: 'CreateSecurityGroup', when: 'after', effect: { kind: 'drop' } })
    await errorOf(step('reconcile'))
    await clock.advance(1_000)
    // EC2 refuses the call as a duplicate.
    expect(await step('reconcile')).toMatchObject({ kind: 'continue', waitsFor: 'group' })
    await until('reconcile')
    expect((await groups()).filter(({ GroupName }) => GroupName === groupName)).toHaveLength(1)
  })

  test('that is never listed is reported as a duplicate after five minutes', async () => {
    const { aws, step, clock } = await setUp()
    const effect = { kind: 'error', code: 'InvalidGroup.Duplicate', status: 400 } as const
    aws.faults.add({ action: 'CreateSecurityGroup', times: null, effect })
    const error = await errorAfterWaits(clock, () => step('reconcile'))
    expect(error.message).toContain('InvalidGroup.Duplicate')
  })

  test('with the name of a deleted one has all its rules', async () => {
    const account = await setUpLate()
    const { until, groupNamed } = account
    await until('reconcile')
    const deleted = await deleteOutside(account)
    await until('reconcile')
    expect((await groupNamed(groupName))?.GroupId).not.toBe(deleted)
    expect((await groupNamed(groupName))?.IpPermissions).toMatchObject([
      { IpRanges: [{ CidrIp: '203.0.113.7/32' }] },
    ])
  })

  test('is not in the way of its own creation while EC2 does not show its tags', async () => {
    const { aws, clock, ...account } = await setUp()
    aws.faults.add({ action: 'CreateSecurityGroup', when: 'after', effect: { kind: 'drop' } })
    await errorOf(account.step('reconcile'))
    const withoutTags = withAnswers(aws.requestHandler, text =>
      text.replace(/<tagSet>.*?<\/tagSet>/gs, '<tagSet/>'),
    )
    const late = stepsOver(withoutTags, clock, { status: { state: account.state() ?? {} } })
    // The subnet is found by its tag, and that works.
    expect(await late.step('reconcile')).toMatchObject({
      kind: 'continue',
      description: expect.stringMatching(
        /^Waiting until EC2 shows the tags of the security group .* \(sg-\w+\)$/,
      ),
    })
    await account.until('reconcile')
    expect(await account.instances()).toHaveLength(1)
  })

  test('and was started with a changed CloudProfile in the meantime is started once', async () => {
    const { aws, clock, ec2, step, until, instances, state } = await setUpLate()
    await until('reconcile')
    for (const { InstanceId } of await instances()) await terminate({ ec2 }, String(InstanceId))
    await clock.advance(10 * minute)
    aws.faults.add({ action: 'RunInstances', when: 'after', effect: { kind: 'drop' } })
    await errorOf(step('reconcile'))
    const cluster = clusterOf({ cloudProfile: { bastion: { machineType: { name: 'm5.large' } } } })
    const status = { state: state() ?? {} }
    const next = stepsOver(aws.requestHandler, clock, { status }, { cluster })
    await next.until('reconcile')
    expect((await instances()).map(({ InstanceType }) => InstanceType)).toEqual(['t3.small'])
  })

  test('and was never started because EC2 refused the call is started with the changed CloudProfile', async () => {
    const { aws, clock, step, instances, state } = await setUp()
    const effect = { kind: 'error', code: 'InsufficientInstanceCapacity', status: 500 } as const
    aws.faults.add({ action: 'RunInstances', effect })
    await errorOf(step('reconcile'))
    const cluster = clusterOf({ cloudProfile: { bastion: { machineType: { name: 'm5.large' } } } })
    const status = { state: state() ?? {} }
    await stepsOver(aws.requestHandler, clock, { status }, { cluster }).until('reconcile')
    expect((await instances()).map(({ InstanceType }) => InstanceType)).toEqual(['m5.large'])
  })
})

describe('the ranges of a request right after another one', () => {
  test.each([0, 1, 5])(
    'are removed and added although EC2 lists the former ones: after %i s',
    async seconds => {
      const { until, change, clock, groupNamed } = await setUpLate()
      await until('reconcile')
      const cidrs = async () =>
        ((await groupNamed(groupName))?.IpPermissions ?? []).flatMap(({ IpRanges = [] }) =>
          IpRanges.map(({ CidrIp }) => CidrIp),
        )
      for (const range of ['198.51.100.0/24', '203.0.113.7/32', '198.51.100.0/24', '192.0.2.0/24']) {
        await clock.advance(seconds * 1_000)
        change({ spec: { ingress: blocks(range) } })
        await until('reconcile')
        expect(await cidrs()).toEqual([range])
      }
    },
  )

  test('are changed again if a process died before the answer', async () => {
    const { until, step, change, groupNamed, aws } = await setUpLate()
    await until('reconcile')
    const other = { spec: { ingress: blocks('198.51.100.0/24') } }
    change(other)
    aws.faults.add({ action: 'RevokeSecurityGroupIngress', effect: { kind: 'drop' } })
    await errorOf(step('reconcile'))
    await until('reconcile')
    expect((await groupNamed(groupName))?.IpPermissions).toMatchObject([
      { IpRanges: [{ CidrIp: '198.51.100.0/24' }] },
    ])
  })

  test('are added to the group that replaces a deleted one, although the deleted one had them', async () => {
    const account = await setUp()
    const { until, change, groupNamed, clock } = account
    await until('reconcile')
    await clock.advance(minute)
    change({ spec: { ingress: blocks('203.0.113.7/32', '198.51.100.0/24') } })
    await until('reconcile')
    const deleted = await deleteOutside(account)
    await until('reconcile')
    const group = await groupNamed(groupName)
    expect(group?.GroupId).not.toBe(deleted)
    expect(
      group?.IpPermissions?.flatMap(({ IpRanges = [] }) => IpRanges.map(({ CidrIp }) => CidrIp)),
    ).toEqual(['203.0.113.7/32', '198.51.100.0/24'])
  })

  test('are forgotten once EC2 shows them', async () => {
    const { until, state, clock } = await setUp()
    await until('reconcile')
    expect(state()).toMatchObject({ rules: { ranges: [{ range: '203.0.113.7/32', rule: 'added' }] } })
    await clock.advance(10 * minute)
    await until('reconcile')
    expect(state()).not.toHaveProperty('rules')
  })
})

/** Deletes the instance and the group of the bastion, as a user would. Returns the id of the group. */
const deleteOutside = async ({
  ec2,
  clock,
  network,
  instances,
  groupNamed,
}: Awaited<ReturnType<typeof setUp>>): Promise<string> => {
  for (const { InstanceId } of await instances()) await terminate({ ec2 }, String(InstanceId))
  await clock.advance(2 * minute)
  const GroupId = String((await groupNamed(groupName))?.GroupId)
  const IpPermissions = (await groupNamed(`${namespace}-nodes`))?.IpPermissions
  await ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId: network.workers, IpPermissions }))
  await ec2.send(new DeleteSecurityGroupCommand({ GroupId }))
  return GroupId
}

/** Changes the bodies of answers. */
const withAnswers = (inner: AwsRequestHandler, change: (text: string) => string): AwsRequestHandler => ({
  handle: async (request, options) => {
    const { response } = await inner.handle(request, options)
    const body = Buffer.from(change(Buffer.from(response.body).toString()))
    return { response: Object.assign(response, { body }) }
  },
})
