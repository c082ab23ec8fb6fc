import {
  AuthorizeSecurityGroupIngressCommand,
  CreateVpcCommand,
  DescribeInstanceAttributeCommand,
  ModifyVpcAttributeCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { StepExpiredError } from '../../../shared/contract/errors.ts'
import { startAccount } from './testing/account.ts'
import { amdImage, blocks, clusterOf, infrastructureIn, namespace, userData } from './testing/objects.ts'
import { secretAccessKey, stepsOver } from './testing/steps.ts'

const groupName = `${namespace}-cli-abc-bsg`
const instanceName = `${namespace}-cli-abc-bastion`
const marks = [
  { Key: 'trellis.gardener.cloud/created-for', Value: 'bastion-uid' },
  { Key: 'trellis.gardener.cloud/created-for-object', Value: `${namespace}/cli-abc` },
]
const ssh = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22 }

const setUp = async (...[parts, surroundings, network]: SetUpOptions) => {
  const account = startAccount()
  const made = await account.makeNetwork(network)
  const steps = stepsOver(account.aws.requestHandler, account.clock, parts, surroundings)
  account.aws.calls.clear()
  return { ...account, ...made, ...steps }
}
type SetUpOptions = [
  parts?: Parameters<typeof stepsOver>[2],
  surroundings?: Parameters<typeof stepsOver>[3],
  network?: Parameters<ReturnType<typeof startAccount>['makeNetwork']>[0],
]

const cidrsOf = (group: Awaited<ReturnType<ReturnType<typeof startAccount>['groupNamed']>>) =>
  (group?.IpPermissions ?? []).flatMap(({ IpRanges = [], Ipv6Ranges = [] }) => [
    ...IpRanges.map(({ CidrIp }) => CidrIp),
    ...Ipv6Ranges.map(({ CidrIpv6 }) => CidrIpv6),
  ])

describe('a bastion that is created', () => {
  test('is a machine in its own security group with access to the nodes', async () => {
    const { step, clock, until, groupNamed, instances, workers, subnetId } = await setUp()
    expect(await step('reconcile')).toMatchObject({
      kind: 'continue',
      afterMs: 5_000,
      description: expect.stringMatching(/^Waiting until instance i-\w+ has a public and a private address$/),
    })
    await clock.advance(60_000)
    const { status } = await until('reconcile')

    const group = await groupNamed(groupName)
    expect(group).toMatchObject({
      Description: 'Bastion security group',
      IpPermissions: [{ ...ssh, IpRanges: [{ CidrIp: '203.0.113.7/32' }] }],
      IpPermissionsEgress: [{ ...ssh, UserIdGroupPairs: [{ GroupId: workers }] }],
    })
    expect(group?.Tags).toEqual([{ Key: 'Name', Value: groupName }, ...marks])
    expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions).toMatchObject([
      { ...ssh, UserIdGroupPairs: [{ GroupId: group?.GroupId }] },
    ])
    const [instance, ...others] = await instances()
    expect(others).toEqual([])
    expect(instance).toMatchObject({ ImageId: amdImage, InstanceType: 't3.small', SubnetId: subnetId })
    expect(instance?.Tags).toEqual([{ Key: 'Name', Value: instanceName }, ...marks])
    expect(instance?.SecurityGroups?.map(({ GroupId }) => GroupId)).toEqual([group?.GroupId])
    expect(status).toEqual({
      ingress: { ip: instance?.PublicIpAddress, hostname: instance?.PublicDnsName },
    })
    expect(instance?.PublicIpAddress).toMatch(/^198\./)
  })

  test('is polled sooner if AWS is faster', async () => {
    const { step } = await setUp({}, { waitScale: 0.1 })
    expect(await step('reconcile')).toMatchObject({ kind: 'continue', afterMs: 500 })
  })

  test('starts the machine with the user data after all rules are added', async () => {
    const { step, actions, instances, ec2 } = await setUp()
    await step('reconcile')
    expect(actions().at(-1)).toBe('RunInstances')
    const [instance] = await instances()
    const attribute = new DescribeInstanceAttributeCommand({
      InstanceId: instance?.InstanceId,
      Attribute: 'userData',
    })
    expect((await ec2.send(attribute)).UserData?.Value).toBe(userData)
  })

  test('takes no more calls than the Go extension: 13, and 4 and 0 once nothing differs', async () => {
    const { until, clock, step, actions, aws, writes } = await setUp()
    await step('reconcile')
    expect(actions()).toHaveLength(10)
    await clock.advance(60_000)
    await until('reconcile')
    expect(actions()).toHaveLength(13)
    aws.calls.clear()
    await until('reconcile')
    expect(actions()).toHaveLength(3)
    expect(writes()).toEqual([])
  })

  test('has an IPv6 address in a shoot with IPv6, and its IPv6 egress reaches only the nodes', async () => {
    const cluster = clusterOf({ shoot: { networking: { ipFamilies: ['IPv4', 'IPv6'] } } })
    const { step, aws, groupNamed, workers, instances } = await setUp(
      { spec: { ingress: blocks('203.0.113.7/32', '2001:db8::7/64') } },
      { cluster },
      { ipv6: true },
    )
    await step('reconcile')
    expect(aws.calls.all().find(({ action }) => action === 'RunInstances')?.input).toMatchObject({
      NetworkInterfaces: [{ Ipv6AddressCount: 1, PrimaryIpv6: true, AssociatePublicIpAddress: true }],
    })
    const group = await groupNamed(groupName)
    expect(group?.IpPermissionsEgress).toMatchObject([{ ...ssh, UserIdGroupPairs: [{ GroupId: workers }] }])
    expect(group?.IpPermissionsEgress).toHaveLength(1)
    expect(cidrsOf(group)).toEqual(['203.0.113.7/32', '2001:db8::/64'])
    expect((await instances())[0]?.Ipv6Address).toBeDefined()
  })

  test('also clears the hostname that it has lost', async () => {
    const { until, clock, ec2, vpcId, instances } = await setUp()
    await until('reconcile')
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId: vpcId, EnableDnsHostnames: { Value: false } }))
    await clock.advance(60_000)
    const { status } = await until('reconcile')
    expect(status).toEqual({ ingress: { ip: (await instances())[0]?.PublicIpAddress, hostname: null } })
  })

  test('writes nothing after its claim is lost', async () => {
    const { step, writes } = await setUp()
    const throwIfExpired = () => {
      throw new StepExpiredError('too late')
    }
    await expect(step('reconcile', {}, { throwIfExpired })).rejects.toThrow('too late')
    expect(writes()).toEqual([])
  })
})

describe('the allowed ranges', () => {
  test('follow the spec: new ones are authorized before old ones are revoked', async () => {
    const { step, change, until, clock, groupNamed, aws, writes } = await setUp()
    await step('reconcile')
    await clock.advance(60_000)
    change({ spec: { ingress: blocks('198.51.100.9/24', '203.0.113.8/32') } })
    aws.calls.clear()
    await until('reconcile')
    expect(cidrsOf(await groupNamed(groupName))).toEqual(['198.51.100.0/24', '203.0.113.8/32'])
    expect(writes()).toEqual(['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress'])
  })

  test('lose foreign rules on any port', async () => {
    const { step, until, clock, groupNamed, ec2 } = await setUp()
    await step('reconcile')
    await clock.advance(60_000)
    const group = await groupNamed(groupName)
    const anybody = { IpProtocol: 'tcp', FromPort: 1, ToPort: 99, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }
    await ec2.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId: group?.GroupId,
        IpPermissions: [anybody],
      }),
    )
    await until('reconcile')
    expect(cidrsOf(await groupNamed(groupName))).toEqual(['203.0.113.7/32'])
  })

  test('change in a full group: revokes make room for authorizes', async () => {
    const account = startAccount({ ec2: { limits: { rules: 3 } } })
    await account.makeNetwork()
    const spec = (...last: readonly number[]) => ({
      spec: { ingress: blocks(...last.map(one => `203.0.113.${one}/32`)) },
    })
    const { until, change } = stepsOver(account.aws.requestHandler, account.clock, spec(1, 2, 3))
    await until('reconcile')
    change(spec(4, 5, 6))
    await until('reconcile')
    expect(cidrsOf(await account.groupNamed(groupName))).toEqual(
      spec(4, 5, 6).spec.ingress.map(({ ipBlock }) => ipBlock.cidr),
    )
  })

  test('are still revoked if AWS refuses the new ones', async () => {
    const account = startAccount({ ec2: { limits: { rules: 3 } } })
    await account.makeNetwork()
    const { until, step, change } = stepsOver(account.aws.requestHandler, account.clock)
    await until('reconcile')
    change({ spec: { ingress: blocks(...[1, 2, 3, 4].map(one => `198.51.100.${one}/32`)) } })
    await expect(step('reconcile')).rejects.toMatchObject({
      message: expect.stringContaining('RulesPerSecurityGroupLimitExceeded'),
      codes: ['ERR_INFRA_QUOTA_EXCEEDED'],
    })
    expect(cidrsOf(await account.groupNamed(groupName))).toEqual([])
  })

  test('exclude their exceptions', async () => {
    const { step, groupNamed } = await setUp({
      spec: { ingress: [{ ipBlock: { cidr: '203.0.113.0/30', except: ['203.0.113.2/32'] } }] },
    })
    await step('reconcile')
    expect(cidrsOf(await groupNamed(groupName))).toEqual(['203.0.113.0/31', '203.0.113.3/32'])
  })
})

describe('an existing instance', () => {
  test('is retained if user data, image and type change', async () => {
    const account = await setUp()
    await account.step('reconcile')
    await account.clock.advance(60_000)
    const before = (await account.instances()).map(({ InstanceId }) => InstanceId)
    const cluster = clusterOf({ cloudProfile: { machineImages: [], machineTypes: [] } })
    const other = stepsOver(
      account.aws.requestHandler,
      account.clock,
      { spec: { userData: Buffer.from('other').toString('base64') } },
      { cluster },
    )
    account.aws.calls.clear()
    await other.until('reconcile')
    expect(account.writes()).toEqual([])
    expect((await account.instances()).map(({ InstanceId }) => InstanceId)).toEqual(before)
  })

  test('that is stopped is waited for and reported', async () => {
    const { step, clock, ec2, instances } = await setUp()
    await step('reconcile')
    await clock.advance(60_000)
    const [instance] = await instances()
    const InstanceId = String(instance?.InstanceId)
    await ec2.send(new StopInstancesCommand({ InstanceIds: [InstanceId] }))
    await clock.advance(60_000)
    expect(await step('reconcile')).toMatchObject({
      kind: 'continue',
      afterMs: 60_000,
      description: `Instance ${InstanceId} is stopped and cannot be reached. Start it, or terminate it to get a new one`,
    })
  })

  test('that was terminated by another client is replaced as often as needed', async () => {
    const { step, clock, ec2, instances, until, actions, aws } = await setUp()
    for (let count = 0; count < 3; count++) {
      aws.calls.clear()
      await until('reconcile')
      const [instance, ...others] = await instances()
      expect(others).toEqual([])
      // A token that EC2 is known to refuse is not used again.
      if (count < 2) expect(actions().filter(action => action === 'RunInstances')).toHaveLength(1)
      await ec2.send(new TerminateInstancesCommand({ InstanceIds: [String(instance?.InstanceId)] }))
      // EC2 lists the instance for at most an hour, and remembers its token for a day.
      await clock.advance(count === 0 ? 5_000 : 2 * 3_600_000)
    }
    await step('reconcile')
    expect(await instances()).toHaveLength(1)
  })
})

describe('a bastion that is deleted', () => {
  test('loses access to the nodes first, then its machine, then its group', async () => {
    const { step, until, clock, groups, instances, actions, aws, groupNamed } = await setUp()
    await until('reconcile')
    aws.calls.clear()
    expect(await step('remove')).toMatchObject({
      kind: 'continue',
      afterMs: 10_000,
      description: expect.stringMatching(/^Waiting until instance i-\w+ is terminated$/),
    })
    expect(await instances()).toEqual([])
    expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions).toEqual([])
    await clock.advance(60_000)
    expect(await step('remove')).toMatchObject({ kind: 'done' })
    expect((await groups()).map(({ GroupName }) => GroupName)).not.toContain(groupName)
    // The reads of the test itself do not count.
    expect(actions().filter((_, index) => index < 5)).toEqual([
      'DescribeSubnets',
      'DescribeSecurityGroups',
      'DescribeInstances',
      'RevokeSecurityGroupIngress',
      'TerminateInstances',
    ])
  })

  test('takes at most 10 calls besides those of a wait', async () => {
    const { step, until, clock, actions, aws } = await setUp()
    await until('reconcile')
    aws.calls.clear()
    await step('remove')
    await clock.advance(60_000)
    await step('remove')
    expect(actions()).toHaveLength(9)
  })

  test('and was never created is gone at once', async () => {
    const { step, writes } = await setUp()
    expect(await step('remove')).toEqual({ kind: 'done' })
    expect(writes()).toEqual([])
  })

  test('is not deleted with credentials of another account', async () => {
    const { aws, clock, vpcId, instances, until } = await setUp()
    await until('reconcile')
    aws.account('222222222222').register({ accessKeyId: 'AKIASTRANGER', secretAccessKey })
    const infrastructure = infrastructureIn(vpcId)
    const secret = { accessKeyID: 'AKIASTRANGER', secretAccessKey }
    const steps = (surroundings: SetUpOptions[1]) => stepsOver(aws.requestHandler, clock, {}, surroundings)
    await expect(steps({ infrastructure, secret }).step('remove')).rejects.toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      message: `cannot find the VPC ${vpcId} of the shoot ${namespace} in eu-west-1 with the credentials of the Secret ${namespace}/cloudprovider, so they may be of another AWS account. Use credentials of the account of the VPC`,
    })
    await steps({ infrastructure }).until('remove')
    expect(await instances()).toEqual([])
  })

  test('is deleted in a VPC that its Infrastructure deletes, and in one without resources of the shoot', async () => {
    const { aws, clock, ec2 } = startAccount()
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))
    const gone = infrastructureIn('vpc-0123456789abcdef0')
    const leaving = { ...gone, metadata: { ...gone.metadata, deletionTimestamp: '2026-11-21T00:00:00Z' } }
    for (const infrastructure of [leaving, infrastructureIn(String(Vpc?.VpcId))])
      expect(await stepsOver(aws.requestHandler, clock, {}, { infrastructure }).step('remove')).toEqual({
        kind: 'done',
      })
  })

  test('is deleted without an infrastructure', async () => {
    const { step } = stepsOver(startAccount().aws.requestHandler, startAccount().clock)
    expect(await step('remove')).toEqual({ kind: 'done' })
  })
})
