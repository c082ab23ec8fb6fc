import {
  AssociateRouteTableCommand,
  AssociateSubnetCidrBlockCommand,
  CreateSubnetCidrReservationCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteSubnetCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DisassociateSubnetCidrBlockCommand,
  type EC2Client,
  ModifySubnetAttributeCommand,
  type ModifySubnetAttributeCommandInput,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = (scale = 1) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale } } })
  return { clock, client: network.ec2ClientOf(aws) }
}

const describeSubnet = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeSubnetsCommand({ SubnetIds: [id] }))).Subnets?.[0]

/** A VPC with an IPv6 block: its id, and the first 56 bits of its addresses as text. */
const newIpv6Vpc = async (client: EC2Client) => {
  const { Vpc } = await client.send(
    new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', AmazonProvidedIpv6CidrBlock: true }),
  )
  const block = Vpc?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
  return { vpcId: Vpc?.VpcId ?? '', block, slice: (index: number) => sliceOf(block, index) }
}

const sliceOf = (block: string, index: number): string => {
  const groups = block.replace('::/56', '').split(':')
  while (groups.length < 4) groups.push('0')
  const last = (Number.parseInt(groups[3] ?? '0', 16) + index).toString(16)
  return `${groups.slice(0, 3).join(':')}:${last}::/64`
}

describe('a new subnet', () => {
  test('a subnet is pending, then available', async () => {
    const { client, clock } = setUp()
    const id = await network.newSubnet(client, await network.newVpc(client))
    expect(await describeSubnet(client, id)).toMatchObject({ State: 'pending' })
    await clock.advance(1_000)
    expect(await describeSubnet(client, id)).toMatchObject({
      State: 'available',
      AvailableIpAddressCount: 251,
      AvailabilityZone: 'eu-west-1a',
      MapPublicIpOnLaunch: false,
      AssignIpv6AddressOnCreation: false,
    })
  })

  test.each([
    ['10.0.0.0/15', 'InvalidSubnet.Range', "The CIDR '10.0.0.0/15' is invalid."],
    ['10.0.0.0/29', 'InvalidSubnet.Range', "The CIDR '10.0.0.0/29' is invalid."],
    ['10.1.0.0/24', 'InvalidSubnet.Range', "The CIDR '10.1.0.0/24' is invalid."],
    ['10.0.4.0/25', 'InvalidSubnet.Conflict', "The CIDR '10.0.4.0/25' conflicts with another subnet"],
    ['10.0.0.0/20', 'InvalidSubnet.Conflict', "The CIDR '10.0.0.0/20' conflicts with another subnet"],
    [
      'nonsense',
      'InvalidParameterValue',
      'Value (nonsense) for parameter cidrBlock is invalid. This is not a valid CIDR block.',
    ],
  ])('a subnet %s is refused beside 10.0.4.0/24', async (CidrBlock, name, message) => {
    const { client } = setUp()
    const VpcId = await network.newVpc(client)
    await network.newSubnet(client, VpcId, '10.0.4.0/24')
    expect(await failureOf(client.send(new CreateSubnetCommand({ VpcId, CidrBlock })))).toMatchObject({
      name,
      message,
    })
  })

  test('a subnet must be in a zone of the region', async () => {
    const { client } = setUp()
    const VpcId = await network.newVpc(client)
    const failure = await failureOf(network.newSubnet(client, VpcId, '10.0.0.0/24', 'eu-central-1a'))
    expect(failure).toMatchObject({
      name: 'InvalidParameterValue',
      message:
        'Value (eu-central-1a) for parameter availabilityZone is invalid. Subnets can currently only be created in the following availability zones: eu-west-1a, eu-west-1b, eu-west-1c.',
    })
  })
})

describe('an IPv6 subnet', () => {
  test('the subnet takes a free /64 of the VPC', async () => {
    const { client, clock } = setUp()
    const { vpcId: VpcId, slice } = await newIpv6Vpc(client)
    const create = (CidrBlock: string, Ipv6CidrBlock: string) =>
      client.send(new CreateSubnetCommand({ VpcId, CidrBlock, Ipv6CidrBlock }))
    const { Subnet } = await create('10.0.0.0/24', slice(1))
    expect(Subnet?.Ipv6CidrBlockAssociationSet).toMatchObject([
      { Ipv6CidrBlock: slice(1), Ipv6CidrBlockState: { State: 'associating' } },
    ])
    await clock.advance(3_000)
    expect(await describeSubnet(client, Subnet?.SubnetId ?? '')).toMatchObject({
      Ipv6CidrBlockAssociationSet: [{ Ipv6CidrBlockState: { State: 'associated' } }],
    })
    expect(await failureOf(create('10.0.1.0/24', slice(1)))).toMatchObject({
      name: 'InvalidSubnet.Conflict',
      message: `The CIDR '${slice(1)}' conflicts with another subnet`,
    })
    expect(await failureOf(create('10.0.1.0/24', '2001:db8::/64'))).toMatchObject({
      name: 'InvalidSubnet.Range',
    })
  })

  test('an IPv4 subnet can get an IPv6 block and lose it again', async () => {
    const { client, clock } = setUp()
    const { vpcId, slice } = await newIpv6Vpc(client)
    const SubnetId = await network.newSubnet(client, vpcId)
    const associate = (Ipv6CidrBlock: string) =>
      client.send(new AssociateSubnetCidrBlockCommand({ SubnetId, Ipv6CidrBlock }))
    const { Ipv6CidrBlockAssociation } = await associate(slice(2))
    expect(Ipv6CidrBlockAssociation).toMatchObject({ Ipv6CidrBlock: slice(2) })
    expect(await failureOf(associate(slice(3)))).toMatchObject({ name: 'SubnetIpv6CidrLimitExceeded' })
    await client.send(
      new DisassociateSubnetCidrBlockCommand({
        AssociationId: Ipv6CidrBlockAssociation?.AssociationId ?? '',
      }),
    )
    await clock.advance(3_000)
    expect((await describeSubnet(client, SubnetId))?.Ipv6CidrBlockAssociationSet).toEqual([])
    await expect(associate(slice(3))).resolves.toBeDefined()
  })
})

test('reservations of a subnet do not overlap', async () => {
  const { client } = setUp()
  const SubnetId = await network.newSubnet(client, await network.newVpc(client))
  const input = { SubnetId, Cidr: '10.0.0.16/28', ReservationType: 'explicit' } as const
  const reserve = () => client.send(new CreateSubnetCidrReservationCommand(input))
  await reserve()
  expect(await failureOf(reserve())).toMatchObject({
    name: 'InvalidSubnetCidrReservation.Overlap',
    message: expect.stringContaining('10.0.0.16/28'),
  })
})

describe('deleting a subnet', () => {
  test('the deletion removes its association with a route table', async () => {
    const { client } = setUp()
    const vpcId = await network.newVpc(client)
    const SubnetId = await network.newSubnet(client, vpcId)
    const RouteTableId = await network.newRouteTable(client, vpcId)
    await client.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId }))
    await client.send(new DeleteSubnetCommand({ SubnetId }))
    const { RouteTables } = await client.send(
      new DescribeRouteTablesCommand({ RouteTableIds: [RouteTableId] }),
    )
    expect(RouteTables?.[0]?.Associations).toEqual([])
  })
})

describe('the attributes of a subnet', () => {
  type Change = Omit<ModifySubnetAttributeCommandInput, 'SubnetId'>
  const on = { Value: true }

  test.each<[string, Change, object]>([
    ['public addresses', { MapPublicIpOnLaunch: on }, { MapPublicIpOnLaunch: true }],
    ['IPv6 addresses', { AssignIpv6AddressOnCreation: on }, { AssignIpv6AddressOnCreation: true }],
    ['DNS64', { EnableDns64: on }, { EnableDns64: true }],
    [
      'the type of host names',
      { PrivateDnsHostnameTypeOnLaunch: 'resource-name' },
      { PrivateDnsNameOptionsOnLaunch: { HostnameType: 'resource-name' } },
    ],
    [
      'A records',
      { EnableResourceNameDnsARecordOnLaunch: on },
      { PrivateDnsNameOptionsOnLaunch: { EnableResourceNameDnsARecord: true } },
    ],
    [
      'AAAA records',
      { EnableResourceNameDnsAAAARecordOnLaunch: on },
      { PrivateDnsNameOptionsOnLaunch: { EnableResourceNameDnsAAAARecord: true } },
    ],
  ])('a change of %s is stored', async (_, change, expected) => {
    const { client } = setUp()
    const { vpcId: VpcId, slice } = await newIpv6Vpc(client)
    const { Subnet } = await client.send(
      new CreateSubnetCommand({ VpcId, CidrBlock: '10.0.0.0/24', Ipv6CidrBlock: slice(0) }),
    )
    const SubnetId = Subnet?.SubnetId ?? ''
    await client.send(new ModifySubnetAttributeCommand({ SubnetId, ...change }))
    expect(await describeSubnet(client, SubnetId)).toMatchObject(expected)
  })

  test.each<[string, Change, string]>([
    ['IPv6 without a block', { AssignIpv6AddressOnCreation: on }, 'InvalidParameterValue'],
  ])('a request to change %s is refused', async (_, change, name) => {
    const { client } = setUp()
    const SubnetId = await network.newSubnet(client, await network.newVpc(client))
    expect(
      await failureOf(client.send(new ModifySubnetAttributeCommand({ SubnetId, ...change }))),
    ).toMatchObject({ name })
  })
})
