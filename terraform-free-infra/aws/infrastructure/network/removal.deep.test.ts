import {
  AllocateAddressCommand,
  CreateRouteTableCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeAddressesCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { type State, withoutMemory } from '../../../engine/engine.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import { desiredOf } from '../testing/converge.ts'
import { shootIn } from './testing/shoot.ts'
import { zonesOf } from './testing/zones.ts'

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  return { aws, clock, ...shootIn(aws, clock) }
}
type Shoot = ReturnType<typeof setUp>

const cluster = { Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' }
const mark = { Key: markTag, Value: desiredOf().uid }
const idsOf = (state: State) =>
  Object.entries(state).flatMap(([key, id]) =>
    key !== 'DefaultSecurityGroup' && /^(?:vpc|dopt|igw|rtb|subnet|eipalloc|nat|sg)-/.test(id) ? [id] : [],
  )
const two = { zones: zonesOf(2) }
const one = { zones: zonesOf(1) }

const left = async ({ ec2 }: Shoot) => {
  const [vpcs, subnets, tables, addresses] = await Promise.all([
    ec2.send(new DescribeVpcsCommand({})),
    ec2.send(new DescribeSubnetsCommand({})),
    ec2.send(new DescribeRouteTablesCommand({})),
    ec2.send(new DescribeAddressesCommand({})),
  ])
  return {
    vpcs: vpcs.Vpcs?.length,
    subnets: subnets.Subnets?.length,
    tables: tables.RouteTables?.length,
    addresses: addresses.Addresses?.length,
  }
}
const nothing = { vpcs: 0, subnets: 0, tables: 0, addresses: 0 }

describe('a removed zone', () => {
  test('is deleted with all its resources, and the others are not changed', async () => {
    const shoot = setUp()
    await shoot.reconcile(two)
    const before = withoutMemory(shoot.stored.state)
    const { state } = await shoot.reconcile(one)
    const ofZone = (key: string) => key.includes('eu-west-1b')
    // Ids that must not be created again with the same token if the zone returns.
    const gone = ['ZoneRouteTable', 'NATGateway'].map(key => `Zones/eu-west-1b/${key}`)
    const remembered = Object.fromEntries(gone.map(key => [`Gone/${key}`, before[key]]))
    const kept = Object.fromEntries(Object.entries(before).filter(([key]) => !ofZone(key)))
    expect(withoutMemory(state)).toEqual({ ...kept, ...remembered, EgressCIDRs: state.EgressCIDRs })
    expect(state.EgressCIDRs?.split(',')).toHaveLength(1)
    // The main table of the VPC, the public one, and that of the zone.
    expect(await left(shoot)).toEqual({ vpcs: 1, subnets: 3, tables: 3, addresses: 1 })
  })

  test.each([0, 2])('can return after %i hours', async hours => {
    const shoot = setUp()
    const desiredStates = [
      { ...two, gatewayEndpoints: ['s3'] },
      { ...one, gatewayEndpoints: [] },
    ]
    for (const desired of [...desiredStates, ...desiredStates, ...desiredStates.slice(0, 1)]) {
      shoot.writes()
      await shoot.reconcile(desired)
      await shoot.clock.advance(hours * 3_600_000)
    }
    // Nothing was requested with an old token, for which AWS would return a deleted resource.
    expect(shoot.writes().filter(action => action === 'CreateNatGateway')).toHaveLength(1)
    expect(await shoot.planned(desiredStates[0])).toEqual([])
    await shoot.remove(desiredStates[0])
    expect(await left(shoot)).toEqual(nothing)
  })

  test('loses the rules for its load balancers', async () => {
    const shoot = setUp()
    await shoot.reconcile(two)
    await shoot.reconcile(one)
    const { SecurityGroups = [] } = await shoot.ec2.send(
      new DescribeSecurityGroupsCommand({ GroupIds: [shoot.stored.state.NodesSecurityGroup ?? ''] }),
    )
    const ranges = (SecurityGroups[0]?.IpPermissions ?? []).flatMap(({ IpRanges = [] }) =>
      IpRanges.map(({ CidrIp }) => CidrIp),
    )
    expect([...new Set(ranges)].sort()).toEqual(['0.0.0.0/0', '10.250.112.0/22', '10.250.96.0/22'])
  })

  test('is retained and reported if only its tags show its owner', async () => {
    const shoot = setUp()
    await shoot.reconcile(two)
    const { state } = shoot.stored
    const ofZone = (key: string) => key.startsWith('Zones/eu-west-1b')
    shoot.stored.state = Object.fromEntries(Object.entries(state).filter(([key]) => !ofZone(key)))
    const before = await left(shoot)
    const { left: recorded } = await shoot.reconcile(one)
    expect(await left(shoot)).toEqual(before)
    const ids = Object.entries(state).flatMap(([key, value]) =>
      ofZone(key) && /^(?:subnet|nat|rtb|eipalloc)-/.test(value) ? [value] : [],
    )
    expect(recorded.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })
})

describe('a deletion', () => {
  test('deletes leftovers of a zone without subnets that have the mark of the object', async () => {
    const shoot = setUp()
    await shoot.reconcile(one)
    const VpcId = shoot.stored.state.VPC
    const tags = (ResourceType: 'elastic-ip' | 'route-table', Value: string) => ({
      TagSpecifications: [{ ResourceType, Tags: [cluster, mark, { Key: 'Name', Value }] }],
    })
    await shoot.ec2.send(new AllocateAddressCommand(tags('elastic-ip', 'shoot--foo--bar-eip-natgw-z7')))
    await shoot.ec2.send(
      new CreateRouteTableCommand({
        VpcId,
        ...tags('route-table', 'shoot--foo--bar-private-eu-west-1c'),
      }),
    )
    await shoot.remove(one)
    expect(await left(shoot)).toEqual(nothing)
  })

  test('finds all resources by their marks with a nearly empty state', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile(two)
    const Resources = idsOf(state)
    await shoot.ec2.send(new CreateTagsCommand({ Resources, Tags: [mark] }))
    shoot.stored.state = { 'Zones/eu-west-1a/Suffix': 'z0' }
    await shoot.remove(two)
    expect(await left(shoot)).toEqual(nothing)
  })

  test('does not delete resources that have only the tags of the cluster', async () => {
    const shoot = setUp()
    await shoot.reconcile(two)
    shoot.stored.state = { 'Zones/eu-west-1a/Suffix': 'z0' }
    const before = await left(shoot)
    const removed = await shoot.remove(two)
    expect(await left(shoot)).toEqual(before)
    expect(removed.left.map(({ label }) => label)).toContain('VPC shoot--foo--bar')
  })

  test('finds resources without tags by the state', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile(one)
    const Resources = idsOf(state)
    await shoot.ec2.send(new DeleteTagsCommand({ Resources, Tags: [{ Key: cluster.Key }] }))
    await shoot.remove(one)
    expect(await left(shoot)).toEqual(nothing)
  })

  test('of vanished resources completes at once, and a reconcile recreates them', async () => {
    const shoot = setUp()
    const state = withoutMemory((await shoot.reconcile(one)).state)
    await shoot.remove(one)
    shoot.stored.state = state
    const planned = await shoot.planned(one)
    expect(planned.filter(sentence => !sentence.startsWith('create '))).toEqual([
      'remove the tags of its creation',
    ])
    shoot.writes()
    expect(withoutMemory((await shoot.remove(one)).state)).toEqual({})
    expect(shoot.writes()).toEqual([])
    shoot.stored.state = state
    const again = await shoot.reconcile(one)
    expect(Object.keys(withoutMemory(again.state)).sort()).toEqual(Object.keys(state).sort())
    expect(await left(shoot)).toEqual({ vpcs: 1, subnets: 3, tables: 3, addresses: 1 })
  })

  test('waits for foreign resources in the VPC and does not change them', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile(one)
    const { Subnet } = await shoot.ec2.send(
      new CreateSubnetCommand({ VpcId: state.VPC, CidrBlock: '10.250.200.0/24' }),
    )
    await expect(shoot.remove(one)).rejects.toThrow(/delete VPC \(vpc-\w+\): DeleteVpc: DependencyViolation/)
    const { Subnets = [] } = await shoot.ec2.send(new DescribeSubnetsCommand({}))
    expect(Subnets.map(({ SubnetId }) => SubnetId)).toEqual([Subnet?.SubnetId])
  })

  test('retains resources with the shared tag of the cluster', async () => {
    const shoot = setUp()
    const { AllocationId = '' } = await shoot.ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))
    const Resources = [AllocationId]
    const Tags = [{ ...cluster, Value: 'shared' }]
    await shoot.ec2.send(new CreateTagsCommand({ Resources, Tags }))
    await shoot.reconcile(one)
    await shoot.remove(one)
    expect(await left(shoot)).toEqual({ ...nothing, addresses: 1 })
  })
})

test('another CIDR of the VPC is refused, and nothing is replaced', async () => {
  const shoot = setUp()
  await shoot.reconcile(one)
  shoot.writes()
  const vpc = { kind: 'managed', cidr: '10.0.0.0/8', dedicatedTenancy: false, ipv6: undefined } as const
  await expect(shoot.reconcile({ ...one, vpc })).rejects.toThrow(
    /cannot change the CIDR block of VPC vpc-\w+ from 10\.250\.0\.0\/16 to 10\.0\.0\.0\/8/,
  )
  expect(shoot.writes()).toEqual([])
})

test('endpoints are created, get the tables of new zones, and are deleted', async () => {
  const shoot = setUp()
  const withEndpoints = (...gatewayEndpoints: string[]) => ({ ...one, gatewayEndpoints })
  const first = await shoot.reconcile(withEndpoints('s3', 'dynamodb'))
  expect(first.state).toMatchObject({
    'VPCEndpoints/s3': expect.stringMatching(/^vpce-/),
    'VPCEndpoints/dynamodb': expect.stringMatching(/^vpce-/),
  })
  shoot.writes()
  const second = await shoot.reconcile({ ...two, gatewayEndpoints: ['s3'] })
  expect(second.state).not.toHaveProperty('VPCEndpoints/dynamodb')
  expect(
    shoot
      .writes()
      .filter(action => action.includes('Endpoint'))
      .sort(),
  ).toEqual(['DeleteVpcEndpoints', 'ModifyVpcEndpoint'])
  // A deleted endpoint is still listed for a while.
  expect(await shoot.planned({ ...two, gatewayEndpoints: ['s3'] })).toEqual([])
})
