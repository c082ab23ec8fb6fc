import {
  AttachInternetGatewayCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateSecurityGroupCommand,
  CreateVpcCommand,
  DescribeInternetGatewaysCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { withoutMemory } from '../../../../engine/engine.ts'
import { shootIn } from '../testing/shoot.ts'
import { zonesOf } from '../testing/zones.ts'

/** An account with a VPC of the user. */
const setUp = async ({ gateway = true, ipv6 = false } = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  const shoot = shootIn(aws, clock)
  const { ec2 } = shoot
  const { Vpc } = await ec2.send(
    new CreateVpcCommand({ CidrBlock: '10.250.0.0/16', AmazonProvidedIpv6CidrBlock: ipv6 }),
  )
  const VpcId = Vpc?.VpcId ?? ''
  if (gateway) {
    const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
    const InternetGatewayId = InternetGateway?.InternetGatewayId
    await ec2.send(new AttachInternetGatewayCommand({ VpcId, InternetGatewayId }))
  }
  await clock.advance(60_000)
  shoot.writes()
  return {
    aws,
    VpcId,
    ...shoot,
    desired: { vpc: { kind: 'existing', id: VpcId, ipv6 }, zones: zonesOf(1) } as const,
  }
}
type Shoot = Awaited<ReturnType<typeof setUp>>

/** Returns the user's resources in the VPC. */
const given = async ({ ec2 }: Shoot) => {
  const { Vpcs } = await ec2.send(new DescribeVpcsCommand({}))
  const { InternetGateways } = await ec2.send(new DescribeInternetGatewaysCommand({}))
  return { Vpcs, InternetGateways }
}

describe('in the VPC of a user', () => {
  test('subnets are created and deleted, and nothing else of it is changed', async () => {
    const shoot = await setUp()
    const { reconcile, remove, desired, ec2, VpcId } = shoot
    const before = await given(shoot)
    const { state } = await reconcile(desired)
    expect(state.VPC).toBe(VpcId)
    expect(state.InternetGateway).toBe(before.InternetGateways?.[0]?.InternetGatewayId)
    expect(state).not.toHaveProperty('DHCPOptions')
    expect(state).not.toHaveProperty('DefaultSecurityGroup')
    expect((await ec2.send(new DescribeSubnetsCommand({}))).Subnets).toHaveLength(3)
    expect(await given(shoot)).toEqual(before)

    shoot.writes()
    await reconcile(desired)
    // The Go extension makes 28 reads, excluding those of its validator.
    expect(shoot.reads()).toBeLessThanOrEqual(13)
    expect(shoot.writes()).toEqual([])

    expect(withoutMemory((await remove(desired)).state)).toEqual({})
    expect((await ec2.send(new DescribeSubnetsCommand({}))).Subnets).toEqual([])
    expect(await given(shoot)).toEqual(before)
  })

  test('without an internet gateway the error says what is missing', async () => {
    const { reconcile, desired } = await setUp({ gateway: false })
    await expect(reconcile(desired)).rejects.toThrow(
      'find internet gateway: internet gateway does not exist, and Trellis must not create it',
    )
  })

  test('with IPv6 the egress-only gateway must also exist, and stays', async () => {
    const shoot = await setUp({ ipv6: true })
    const desired = { ...shoot.desired, ipFamilies: ['IPv4', 'IPv6'] } as const
    await expect(shoot.reconcile(desired)).rejects.toThrow('egress-only internet gateway does not exist')
    const { EgressOnlyInternetGateway } = await shoot.ec2.send(
      new CreateEgressOnlyInternetGatewayCommand({ VpcId: shoot.VpcId }),
    )
    const { state } = await shoot.reconcile(desired)
    expect(state).toMatchObject({
      EgressOnlyInternetGateway: EgressOnlyInternetGateway?.EgressOnlyInternetGatewayId,
      VPCIPv6CidrBlock: expect.stringMatching(/\/56$/),
      ServiceCIDR: expect.stringMatching(/\/108$/),
    })
    await shoot.remove(desired)
    expect(await given(shoot)).toMatchObject({ Vpcs: [{ VpcId: shoot.VpcId }] })
  })

  test('a missing VPC is an error and is not created', async () => {
    const { reconcile, desired } = await setUp()
    const vpc = { ...desired.vpc, id: 'vpc-00000000000000000' }
    await expect(reconcile({ ...desired, vpc })).rejects.toThrow('find VPC: VPC does not exist')
  })

  test('a user’s group for the nodes gets no rules or tags, and stays', async () => {
    const { reconcile, remove, desired, ec2, VpcId } = await setUp()
    const group = { GroupName: 'ours', Description: 'ours', VpcId }
    const { GroupId } = await ec2.send(new CreateSecurityGroupCommand(group))
    const before = await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [GroupId ?? ''] }))
    const own = { ...desired, nodesSecurityGroup: GroupId }
    expect((await reconcile(own)).state.NodesSecurityGroup).toBe(GroupId)
    await remove(own)
    const after = await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [GroupId ?? ''] }))
    expect(after.SecurityGroups).toEqual(before.SecurityGroups)
  })
})
