import {
  AssociateVpcCidrBlockCommand,
  AuthorizeSecurityGroupEgressCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateVpcCommand,
  CreateVpcEndpointCommand,
  DeleteVpcCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import { addIpamPool } from '../inventory.ts'
import * as network from '../testing/network.ts'

const setUp = (scale = 1) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale }, limits: { cidrBlocks: 5 } } })
  return { clock, aws, client: network.ec2ClientOf(aws) }
}

const describeVpc = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeVpcsCommand({ VpcIds: [id] }))).Vpcs?.[0]

const inVpc = (id: string) => ({ Filters: [{ Name: 'vpc-id', Values: [id] }] })

describe('a new VPC', () => {
  test('the VPC has a main route table with a local route', async () => {
    const { client } = setUp()
    const id = await network.newVpc(client)
    const { RouteTables } = await client.send(new DescribeRouteTablesCommand(inVpc(id)))
    expect(RouteTables).toMatchObject([
      {
        Associations: [{ Main: true, AssociationState: { State: 'associated' } }],
        Routes: [{ DestinationCidrBlock: '10.0.0.0/16', GatewayId: 'local', State: 'active' }],
      },
    ])
  })

  test.each([
    ['10.0.0.0/8', 'InvalidVpc.Range', "The CIDR '10.0.0.0/8' is invalid."],
    ['10.0.0.0/29', 'InvalidVpc.Range', "The CIDR '10.0.0.0/29' is invalid."],
    [
      '10.0.0/16',
      'InvalidParameterValue',
      'Value (10.0.0/16) for parameter cidrBlock is invalid. This is not a valid CIDR block.',
    ],
    [
      '2001:db8::/56',
      'InvalidParameterValue',
      'Value (2001:db8::/56) for parameter cidrBlock is invalid. This is not a valid CIDR block.',
    ],
  ])('a VPC with %s is refused', async (CidrBlock, name, message) => {
    const { client } = setUp()
    expect(await failureOf(client.send(new CreateVpcCommand({ CidrBlock })))).toMatchObject({ name, message })
  })
})

describe('deleting a VPC', () => {
  test.each([
    ['subnets', network.newSubnet],
    ['an internet gateway', (client: EC2Client, id: string) => network.newInternetGateway(client, id)],
    ['route tables of the user', network.newRouteTable],
    ['groups of the user', (client: EC2Client, id: string) => network.newGroup(client, id)],
    [
      'an egress-only gateway',
      (client: EC2Client, VpcId: string) =>
        client.send(new CreateEgressOnlyInternetGatewayCommand({ VpcId })),
    ],
    [
      'endpoints',
      (client: EC2Client, VpcId: string) =>
        client.send(new CreateVpcEndpointCommand({ VpcId, ServiceName: 'com.amazonaws.eu-west-1.s3' })),
    ],
  ] as const)('the deletion is refused while the VPC has %s', async (_, add) => {
    const { client } = setUp()
    const id = await network.newVpc(client)
    await add(client, id)
    expect(await failureOf(client.send(new DeleteVpcCommand({ VpcId: id })))).toMatchObject({
      name: 'DependencyViolation',
      message: `The vpc '${id}' has dependencies and cannot be deleted.`,
    })
  })
})

describe('the IPv6 block of a VPC', () => {
  const associate = (client: EC2Client, VpcId: string) =>
    client.send(new AssociateVpcCidrBlockCommand({ VpcId, AmazonProvidedIpv6CidrBlock: true }))

  test('the block is associating, then associated', async () => {
    const { client, clock } = setUp()
    const id = await network.newVpc(client)
    const { Ipv6CidrBlockAssociation: made } = await associate(client, id)
    expect(made).toMatchObject({
      Ipv6CidrBlock: expect.stringMatching(/^2a05:d[0-9a-f:]+::\/56$/),
      Ipv6CidrBlockState: { State: 'associating' },
      Ipv6Pool: 'Amazon',
    })
    await clock.advance(3_000)
    expect((await describeVpc(client, id))?.Ipv6CidrBlockAssociationSet).toMatchObject([
      { Ipv6CidrBlock: made?.Ipv6CidrBlock, Ipv6CidrBlockState: { State: 'associated' } },
    ])
  })

  test('the block is unique to each VPC', async () => {
    const { client } = setUp(0)
    const blocks = new Set<string | undefined>()
    for (let count = 0; count < 3; count++) {
      const { Vpc } = await client.send(
        new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', AmazonProvidedIpv6CidrBlock: true }),
      )
      blocks.add(Vpc?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock)
    }
    expect(blocks.size).toBe(3)
  })

  test('the block does not change groups with outbound rules of the user', async () => {
    const { client } = setUp(0)
    const id = await network.newVpc(client)
    const GroupId = await network.newGroup(client, id)
    const https = { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, IpRanges: [{ CidrIp: '1.0.0.0/8' }] }
    await client.send(new AuthorizeSecurityGroupEgressCommand({ GroupId, IpPermissions: [https] }))
    await associate(client, id)
    const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ GroupIds: [GroupId] }))
    expect(SecurityGroups?.[0]?.IpPermissionsEgress?.flatMap(each => each.Ipv6Ranges)).toEqual([])
  })

  test('the block is taken from an IPAM pool, at random or by its range', async () => {
    const { aws, client } = setUp(0)
    addIpamPool(aws.account(), 'eu-west-1', 'ipam-pool-0a', '2001:db8::/48')
    const create = async (Ipv6CidrBlock?: string) => {
      const input = { CidrBlock: '10.0.0.0/16', Ipv6IpamPoolId: 'ipam-pool-0a' }
      const wanted = Ipv6CidrBlock === undefined ? { Ipv6NetmaskLength: 56 } : { Ipv6CidrBlock }
      const { Vpc } = await client.send(new CreateVpcCommand({ ...input, ...wanted }))
      return Vpc?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock
    }
    expect(await create()).toBe('2001:db8::/56')
    expect(await create('2001:db8:0:700::/56')).toBe('2001:db8:0:700::/56')
    expect(await create()).toBe('2001:db8:0:100::/56')
    expect(await failureOf(create('2001:db8:0:700::/56'))).toMatchObject({ name: 'InsufficientCidrBlocks' })
  })

  test('a block of an unknown pool is refused', async () => {
    const { client } = setUp()
    const input = { CidrBlock: '10.0.0.0/16', Ipv6IpamPoolId: 'ipam-pool-0b', Ipv6NetmaskLength: 56 }
    expect(await failureOf(client.send(new CreateVpcCommand(input)))).toMatchObject({
      name: 'InvalidIpamPoolId.NotFound',
    })
  })
})

describe('further IPv4 blocks', () => {
  const associate = (client: EC2Client, VpcId: string, CidrBlock: string) =>
    client.send(new AssociateVpcCidrBlockCommand({ VpcId, CidrBlock }))

  test('subnets can use a further block', async () => {
    const { client } = setUp(0)
    const id = await network.newVpc(client)
    await associate(client, id, '10.1.0.0/16')
    expect(await network.newSubnet(client, id, '10.1.0.0/24')).toMatch(/^subnet-/)
  })

  test('further blocks must not overlap, and a VPC has at most five blocks', async () => {
    const { client } = setUp(0)
    const id = await network.newVpc(client)
    expect(await failureOf(associate(client, id, '10.0.128.0/17'))).toMatchObject({
      name: 'InvalidVpc.Range',
    })
    for (let number = 1; number <= 4; number++) await associate(client, id, `10.${number}.0.0/16`)
    expect(await failureOf(associate(client, id, '10.9.0.0/16'))).toMatchObject({
      name: 'CidrLimitExceeded',
      message: `This network '${id}' has met its maximum number of allowed CIDRs: 5`,
    })
  })
})
