import {
  AllocateAddressCommand,
  AttachInternetGatewayCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateSubnetCidrReservationCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteNatGatewayCommand,
  DescribeVpcsCommand,
  GetSubnetCidrReservationsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { serviceBlock, subnetBlock } from '../network/subnets/ipv6-blocks.ts'
import { shootIn } from '../network/testing/shoot.ts'

const cluster = 'kubernetes.io/cluster/shoot--foo--bar'

/** An account with a VPC of the user that has gateways and two subnets, both with IPv6. */
const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  const shoot = shootIn(aws, clock)
  const { ec2 } = shoot
  const vpc = new CreateVpcCommand({ CidrBlock: '10.250.0.0/16', AmazonProvidedIpv6CidrBlock: true })
  const VpcId = (await ec2.send(vpc)).Vpc?.VpcId ?? ''
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
  const InternetGatewayId = InternetGateway?.InternetGatewayId
  await ec2.send(new AttachInternetGatewayCommand({ VpcId, InternetGatewayId }))
  await ec2.send(new CreateEgressOnlyInternetGatewayCommand({ VpcId }))
  await clock.advance(60_000)
  const { Vpcs: [found] = [] } = await ec2.send(new DescribeVpcsCommand({}))
  const block = found?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
  const subnet = async (index: number) => {
    const command = new CreateSubnetCommand({
      VpcId,
      AvailabilityZone: `eu-west-1${'ab'[index]}`,
      CidrBlock: `10.250.${32 * index}.0/19`,
      Ipv6CidrBlock: subnetBlock(block, index),
    })
    const { Subnet } = await ec2.send(command)
    return { id: Subnet?.SubnetId ?? '', services: serviceBlock(subnetBlock(block, index)) }
  }
  const subnets = [await subnet(0), await subnet(1)] as const
  await clock.advance(60_000)
  const reserved = async () => {
    const all: (string | undefined)[] = []
    for (const { id: SubnetId } of subnets) {
      const answer = await ec2.send(new GetSubnetCidrReservationsCommand({ SubnetId }))
      all.push(...(answer.SubnetIpv6CidrReservations ?? []).map(({ Cidr }) => Cidr))
    }
    return all
  }
  /** Creates a NAT gateway with these tags and returns its address as a CIDR. */
  const gateway = async (tags: Readonly<Record<string, string>>) => {
    const { AllocationId, PublicIp } = await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }))
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
    const { NatGateway } = await ec2.send(
      new CreateNatGatewayCommand({
        SubnetId: subnets[0].id,
        AllocationId,
        ...(Tags.length > 0 && { TagSpecifications: [{ ResourceType: 'natgateway', Tags }] }),
      }),
    )
    await clock.advance(200_000)
    return { id: NatGateway?.NatGatewayId ?? '', cidr: `${PublicIp}/32` }
  }
  shoot.writes()
  const desired = (ipv6: boolean): Partial<DesiredInfrastructure> => ({
    vpc: { kind: 'existing', id: VpcId, ipv6 },
    ipFamilies: ipv6 ? ['IPv4', 'IPv6'] : ['IPv4'],
    zones: {
      kind: 'own',
      zones: subnets.map(({ id }, index) => ({
        name: `eu-west-1${'ab'[index]}`,
        suffix: `z${index}`,
        workers: id,
        internal: undefined,
        public: undefined,
      })),
      tagRouteTables: false,
    },
  })
  return { ...shoot, clock, subnets, reserved, gateway, desired }
}

describe("nodes in the user's subnets", () => {
  test('leave through the NAT gateways of the VPC with the tag of the cluster and any value', async () => {
    const { reconcile, remove, gateway, desired, writes, ec2, clock } = await setUp()
    const shared = await gateway({ [cluster]: 'shared' })
    const marked = await gateway({ [cluster]: '' })
    await gateway({ 'kubernetes.io/cluster/shoot--foo--other': 'shared' })
    await gateway({})
    const { state } = await reconcile(desired(false))
    expect(state.EgressCIDRs?.split(',').toSorted()).toEqual([shared.cidr, marked.cidr].toSorted())

    writes()
    expect((await reconcile(desired(false))).state).toEqual(state)
    expect(writes()).toEqual([])

    await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: shared.id }))
    await clock.advance(200_000)
    expect((await reconcile(desired(false))).state.EgressCIDRs).toBe(marked.cidr)
    await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: marked.id }))
    await clock.advance(200_000)
    expect((await reconcile(desired(false))).state).not.toHaveProperty('EgressCIDRs')
    await remove(desired(false))
    expect(writes()).not.toContain('ReleaseAddress')
  })

  test('have a range for services in one of them, which a deletion releases', async () => {
    const { reconcile, remove, planned, subnets, reserved, desired, stored } = await setUp()
    const [first] = [...subnets].sort((one, other) => (one.id < other.id ? -1 : 1))
    const { state } = await reconcile(desired(true))
    expect(state.ServiceCIDR).toBe(first?.services)
    expect(await reserved()).toEqual([first?.services])
    expect(await planned(desired(true))).toEqual([])

    const { ServiceCIDR: _, ...lost } = state
    stored.state = lost
    expect((await reconcile(desired(true))).state.ServiceCIDR).toBe(first?.services)
    expect((await remove(desired(true))).state).not.toHaveProperty('ServiceCIDR')
    expect(await reserved()).toEqual([])
  })

  test('may have a range that the user has reserved, which stays', async () => {
    const { reconcile, remove, subnets, reserved, desired, ec2 } = await setUp()
    const [, second] = subnets
    const command = { SubnetId: second.id, Cidr: second.services, ReservationType: 'explicit' } as const
    await ec2.send(new CreateSubnetCidrReservationCommand(command))
    expect((await reconcile(desired(true))).state.ServiceCIDR).toBe(second.services)
    await remove(desired(true))
    expect(await reserved()).toEqual([second.services])
  })
})
