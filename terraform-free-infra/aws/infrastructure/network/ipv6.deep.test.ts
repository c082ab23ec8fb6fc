import {
  CreateSubnetCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  type Subnet,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { addIpamPool } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { withoutMemory } from '../../../engine/engine.ts'
import type { DesiredInfrastructure, ManagedVpc } from '../desired-infrastructure.ts'
import { subnetBlock } from './subnets/ipv6-blocks.ts'
import { shootIn } from './testing/shoot.ts'
import { zonesOf } from './testing/zones.ts'

const setUp = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  return { aws, clock, ...shootIn(aws, clock) }
}
type Shoot = ReturnType<typeof setUp>
type DesiredParts = Partial<DesiredInfrastructure>

const vpcWith = (ipv6: ManagedVpc['ipv6']): ManagedVpc => ({
  kind: 'managed',
  cidr: '10.250.0.0/16',
  dedicatedTenancy: false,
  ipv6,
})
const amazon = vpcWith({ kind: 'amazon' })
const both: DesiredParts = { vpc: amazon, ipFamilies: ['IPv4', 'IPv6'], zones: zonesOf(2) }
const ipv4: DesiredParts = { zones: zonesOf(2) }
const ipv6Only: DesiredParts = {
  vpc: amazon,
  ipFamilies: ['IPv6'],
  zones: zonesOf(2, { workers: undefined }),
}

const subnetsByName = async ({ ec2 }: Shoot) => {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}))
  return new Map(
    Subnets.map(subnet => [
      subnet.Tags?.find(({ Key }) => Key === 'Name')?.Value?.replace('shoot--foo--bar-', '') ?? '',
      subnet,
    ]),
  )
}
const blockOf = (subnet: Subnet | undefined) => subnet?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock

describe('with IPv6', () => {
  test('each subnet gets the /64 of its position, nodes get addresses, and nothing differs afterwards', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile(both)
    const subnets = await subnetsByName(shoot)
    const vpc = state.VPCIPv6CidrBlock ?? ''
    expect([...subnets].map(([name, subnet]) => [name, blockOf(subnet)]).sort()).toEqual(
      [
        ['nodes-z0', subnetBlock(vpc, 0)],
        ['private-utility-z0', subnetBlock(vpc, 1)],
        ['public-utility-z0', subnetBlock(vpc, 2)],
        ['nodes-z1', subnetBlock(vpc, 3)],
        ['private-utility-z1', subnetBlock(vpc, 4)],
        ['public-utility-z1', subnetBlock(vpc, 5)],
      ].sort(),
    )
    expect(subnets.get('nodes-z0')?.AssignIpv6AddressOnCreation).toBe(true)
    shoot.writes()
    await shoot.reconcile(both)
    expect(shoot.reads()).toBeLessThanOrEqual(18)
    expect(shoot.writes()).toEqual([])
  })

  test('traffic leaves through the egress-only gateway, and reaches IPv4 through the NAT gateway', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile(both)
    const { RouteTables = [] } = await shoot.ec2.send(
      new DescribeRouteTablesCommand({ RouteTableIds: [state['Zones/eu-west-1b/ZoneRouteTable'] ?? ''] }),
    )
    const routes = RouteTables[0]?.Routes ?? []
    const to = (destination: string) =>
      routes.find(route => route.DestinationIpv6CidrBlock === destination) ?? {}
    expect(to('::/0')).toMatchObject({ EgressOnlyInternetGatewayId: state.EgressOnlyInternetGateway })
    expect(to('64:ff9b::/96')).toMatchObject({ NatGatewayId: state['Zones/eu-west-1b/NATGateway'] })
  })

  test('a range for services is reserved once, in the first subnet of the nodes', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile(both)
    const [first] = [state['Zones/eu-west-1a/SubnetWorkers'], state['Zones/eu-west-1b/SubnetWorkers']].sort()
    const subnet = [...(await subnetsByName(shoot)).values()].find(({ SubnetId }) => SubnetId === first)
    expect(state.ServiceCIDR).toBe(blockOf(subnet)?.replace('::/64', '::10:0/108'))
    // Found again if the state has lost it, and retained with any subnets.
    const { ServiceCIDR, ...lost } = state
    shoot.stored.state = lost
    shoot.writes()
    expect((await shoot.reconcile(both)).state.ServiceCIDR).toBe(ServiceCIDR)
    expect((await shoot.reconcile({ ...both, zones: zonesOf(3) })).state.ServiceCIDR).toBe(ServiceCIDR)
    expect(shoot.writes()).not.toContain('CreateSubnetCidrReservation')
  })

  test('IPv6-only nodes reach IPv4-only hosts through DNS64', async () => {
    const shoot = setUp()
    await shoot.reconcile(ipv6Only)
    const subnets = await subnetsByName(shoot)
    expect(subnets.get('nodes-z0')).toMatchObject({
      Ipv6Native: true,
      EnableDns64: true,
      PrivateDnsNameOptionsOnLaunch: {
        HostnameType: 'resource-name',
        EnableResourceNameDnsAAAARecord: true,
      },
    })
    expect(subnets.get('public-utility-z0')).toMatchObject({ Ipv6Native: false, CidrBlock: '10.250.96.0/22' })
    shoot.writes()
    await shoot.reconcile(ipv6Only)
    expect(shoot.writes()).toEqual([])
    expect(withoutMemory((await shoot.remove(ipv6Only)).state)).toEqual({})
  })

  test('an existing IPv4 shoot is updated in place', async () => {
    const shoot = setUp()
    const before = (await shoot.reconcile(ipv4)).state
    shoot.writes()
    const { state } = await shoot.reconcile(both)
    const writes = shoot.writes()
    expect(writes.filter(action => action === 'AssociateVpcCidrBlock')).toHaveLength(1)
    expect(
      writes.filter(action => /^(?:Delete(?!Tags)|Release|Create(?:Vpc|Subnet|NatGateway)$)/.test(action)),
    ).toEqual([])
    expect(state).toMatchObject(before)
    expect(await shoot.planned(both)).toEqual([])
  })

  test('a second block is never requested while the first is pending', async () => {
    const shoot = setUp()
    await shoot.reconcile(ipv4)
    shoot.writes()
    // The response is lost. The next step starts while AWS is still executing the call.
    shoot.aws.faults.add({ action: 'AssociateVpcCidrBlock', when: 'after', effect: { kind: 'drop' } })
    await expect(shoot.reconcile(both)).rejects.toThrow('update VPC')
    await shoot.reconcile(both)
    expect(shoot.writes().filter(action => action === 'AssociateVpcCidrBlock')).toHaveLength(1)
  })

  test('a /64 of a foreign subnet is skipped', async () => {
    const shoot = setUp()
    const { state } = await shoot.reconcile(both)
    const vpc = state.VPCIPv6CidrBlock ?? ''
    await shoot.ec2.send(
      new CreateSubnetCommand({
        VpcId: state.VPC,
        CidrBlock: '10.250.200.0/24',
        Ipv6CidrBlock: subnetBlock(vpc, 6),
      }),
    )
    const three = { ...both, zones: zonesOf(3) }
    await shoot.reconcile(three)
    const subnets = await subnetsByName(shoot)
    const third = ['nodes-z2', 'private-utility-z2', 'public-utility-z2'].map(name =>
      blockOf(subnets.get(name)),
    )
    expect(new Set(third).size).toBe(3)
    expect(third).not.toContain(subnetBlock(vpc, 6))
    expect(await shoot.planned(three)).toEqual([])
  })

  test.each([
    ['any block of a pool', undefined],
    ['the very block of a pool', '2001:db8:0:4200::/56'],
  ])('the VPC gets %s, at once or later', async (_, cidr) => {
    const pooled: DesiredParts = {
      ...both,
      vpc: vpcWith({ kind: 'pool', poolId: 'ipam-pool-0a', cidr }),
    }
    for (const first of [pooled, ipv4]) {
      const shoot = setUp()
      addIpamPool(shoot.aws.account(), 'eu-west-1', 'ipam-pool-0a', '2001:db8::/48')
      await shoot.reconcile(first)
      const { state } = await shoot.reconcile(pooled)
      expect(state.VPCIPv6CidrBlock).toMatch(cidr ?? /^2001:db8:.*\/56$/)
      const { Vpcs = [] } = await shoot.ec2.send(new DescribeVpcsCommand({}))
      expect(Vpcs[0]?.Ipv6CidrBlockAssociationSet).toHaveLength(1)
    }
  })
})
