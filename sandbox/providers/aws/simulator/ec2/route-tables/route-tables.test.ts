import {
  AssociateRouteTableCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateRouteCommand,
  type CreateRouteCommandInput,
  CreateRouteTableCommand,
  CreateVpcCommand,
  DeleteRouteCommand,
  DeleteRouteTableCommand,
  DescribeRouteTablesCommand,
  DetachInternetGatewayCommand,
  DisassociateRouteTableCommand,
  type EC2Client,
  ReplaceRouteCommand,
  ReplaceRouteTableAssociationCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 0 } } })
  const client = network.ec2ClientOf(aws)
  const { vpcId, subnetId, gatewayId } = await network.newNetwork(client)
  const tableId = await network.newRouteTable(client, vpcId)
  const route = (input: Omit<CreateRouteCommandInput, 'RouteTableId'>) =>
    client.send(new CreateRouteCommand({ RouteTableId: tableId, ...input }))
  return { client, vpcId, subnetId, gatewayId, tableId, route }
}

const describeTable = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] }))).RouteTables?.[0]

describe('routes', () => {
  test('a table has one route per destination', async () => {
    const { route, gatewayId } = await setUp()
    await route({ DestinationCidrBlock: '0.0.0.0/0', GatewayId: gatewayId })
    expect(await failureOf(route({ DestinationCidrBlock: '0.0.0.0/0', GatewayId: gatewayId }))).toMatchObject(
      {
        name: 'RouteAlreadyExists',
        message: 'The route identified by 0.0.0.0/0 already exists.',
      },
    )
  })

  test('a route becomes a black hole when its gateway is deleted', async () => {
    const { client, route, tableId, gatewayId, vpcId } = await setUp()
    await route({ DestinationCidrBlock: '0.0.0.0/0', GatewayId: gatewayId })
    await client.send(new DetachInternetGatewayCommand({ InternetGatewayId: gatewayId, VpcId: vpcId }))
    expect((await describeTable(client, tableId))?.Routes?.[1]).toMatchObject({ State: 'blackhole' })
  })

  test('a route to a pending NAT gateway is accepted', async () => {
    const clock = virtualClock(0)
    const client = network.ec2ClientOf(createAws({ clock, ec2: { durations: { scale: 1 } } }))
    const { vpcId, subnetId } = await network.newNetwork(client)
    const NatGatewayId = await network.newNatGateway(client, subnetId, await network.newAddress(client))
    const RouteTableId = await network.newRouteTable(client, vpcId)
    await client.send(
      new CreateRouteCommand({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0', NatGatewayId }),
    )
    expect((await describeTable(client, RouteTableId))?.Routes?.[1]).toMatchObject({
      NatGatewayId,
      State: 'active',
    })
  })

  test('a route to the egress-only gateway is refused for IPv4', async () => {
    const { client } = await setUp()
    const { Vpc } = await client.send(
      new CreateVpcCommand({ CidrBlock: '10.9.0.0/16', AmazonProvidedIpv6CidrBlock: true }),
    )
    const VpcId = Vpc?.VpcId ?? ''
    const RouteTableId = await network.newRouteTable(client, VpcId)
    const { EgressOnlyInternetGateway } = await client.send(
      new CreateEgressOnlyInternetGatewayCommand({ VpcId }),
    )
    const target = { EgressOnlyInternetGatewayId: EgressOnlyInternetGateway?.EgressOnlyInternetGatewayId }
    const create = (destination: object) =>
      client.send(new CreateRouteCommand({ RouteTableId, ...target, ...destination }))
    await create({ DestinationIpv6CidrBlock: '::/0' })
    expect(await failureOf(create({ DestinationCidrBlock: '0.0.0.0/0' }))).toMatchObject({
      name: 'InvalidParameterValue',
    })
  })

  test('a route is replaced in one step, and replacing a missing route is refused', async () => {
    const { client, route, tableId, gatewayId, subnetId } = await setUp()
    await route({ DestinationCidrBlock: '0.0.0.0/0', GatewayId: gatewayId })
    const NatGatewayId = await network.newNatGateway(client, subnetId, await network.newAddress(client))
    const replace = (DestinationCidrBlock: string) =>
      client.send(new ReplaceRouteCommand({ RouteTableId: tableId, DestinationCidrBlock, NatGatewayId }))
    await replace('0.0.0.0/0')
    expect((await describeTable(client, tableId))?.Routes?.[1]).toMatchObject({ NatGatewayId })
    expect(await failureOf(replace('1.0.0.0/8'))).toMatchObject({
      name: 'InvalidParameterValue',
      message: "There is no route defined for '1.0.0.0/8' in the route table. Use CreateRoute instead.",
    })
  })

  test('a route can be deleted, except a local or a missing one', async () => {
    const { client, route, tableId, gatewayId } = await setUp()
    await route({ DestinationCidrBlock: '0.0.0.0/0', GatewayId: gatewayId })
    const remove = (DestinationCidrBlock: string) =>
      client.send(new DeleteRouteCommand({ RouteTableId: tableId, DestinationCidrBlock }))
    await remove('0.0.0.0/0')
    expect((await describeTable(client, tableId))?.Routes).toHaveLength(1)
    expect(await failureOf(remove('0.0.0.0/0'))).toMatchObject({
      name: 'InvalidRoute.NotFound',
      message: `no route with destination-cidr-block 0.0.0.0/0 in route table ${tableId}`,
    })
    expect(await failureOf(remove('10.0.0.0/16'))).toMatchObject({
      name: 'InvalidParameterValue',
      message: `cannot remove local route 10.0.0.0/16 in route table ${tableId}`,
    })
  })

  test.each<[string, Omit<CreateRouteCommandInput, 'RouteTableId'>, string]>([
    ['without a target', { DestinationCidrBlock: '0.0.0.0/0' }, 'MissingParameter'],
    ['without a destination', { GatewayId: 'igw-0000000000000000f' }, 'MissingParameter'],
    [
      'to two targets',
      { DestinationCidrBlock: '0.0.0.0/0', GatewayId: 'igw-1', NatGatewayId: 'nat-1' },
      'InvalidParameterCombination',
    ],
    [
      'to a gateway that is not there',
      { DestinationCidrBlock: '0.0.0.0/0', GatewayId: 'igw-0000000000000000f' },
      'InvalidGatewayID.NotFound',
    ],
    [
      'to a NAT gateway that is not there',
      { DestinationCidrBlock: '0.0.0.0/0', NatGatewayId: 'nat-0000000000000000f' },
      'InvalidNatGatewayID.NotFound',
    ],
    [
      'to nowhere in particular',
      { DestinationCidrBlock: '0.0.0.0', GatewayId: 'igw-0000000000000000f' },
      'InvalidParameterValue',
    ],
  ])('%s is refused', async (_, input, name) => {
    const { route } = await setUp()
    expect(await failureOf(route(input))).toMatchObject({ name })
  })

  test('a route to the gateway of another VPC is refused', async () => {
    const { client, route } = await setUp()
    const other = await network.newNetwork(client, { cidr: '10.9.0.0/16', subnet: '10.9.0.0/24' })
    expect(
      await failureOf(route({ DestinationCidrBlock: '0.0.0.0/0', GatewayId: other.gatewayId })),
    ).toMatchObject({ name: 'InvalidParameterValue', message: expect.stringContaining('different networks') })
  })
})

describe('the association of a subnet', () => {
  const associate = (client: EC2Client, RouteTableId: string, SubnetId: string) =>
    client.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId }))

  test('a repeated request returns the same association, another table is refused', async () => {
    const { client, tableId, subnetId, vpcId } = await setUp()
    const { AssociationId } = await associate(client, tableId, subnetId)
    expect((await associate(client, tableId, subnetId)).AssociationId).toBe(AssociationId)
    const other = await network.newRouteTable(client, vpcId)
    expect(await failureOf(associate(client, other, subnetId))).toMatchObject({
      name: 'Resource.AlreadyAssociated',
      message: `the specified association for route table ${other} conflicts with an existing association`,
    })
  })

  test('replacing the association moves the subnet in one step and returns a new id', async () => {
    const { client, tableId, subnetId, vpcId } = await setUp()
    const { AssociationId = '' } = await associate(client, tableId, subnetId)
    const other = await network.newRouteTable(client, vpcId)
    const { NewAssociationId } = await client.send(
      new ReplaceRouteTableAssociationCommand({ AssociationId, RouteTableId: other }),
    )
    expect((await describeTable(client, tableId))?.Associations).toEqual([])
    expect((await describeTable(client, other))?.Associations).toMatchObject([
      { RouteTableAssociationId: NewAssociationId, SubnetId: subnetId, Main: false },
    ])
    expect(await failureOf(client.send(new DisassociateRouteTableCommand({ AssociationId })))).toMatchObject({
      name: 'InvalidAssociationID.NotFound',
    })
  })
})

describe('deleting a route table', () => {
  test('the deletion is refused while subnets are associated with the table', async () => {
    const { client, tableId: RouteTableId, subnetId: SubnetId } = await setUp()
    const { AssociationId = '' } = await client.send(
      new AssociateRouteTableCommand({ RouteTableId, SubnetId }),
    )
    expect(await failureOf(client.send(new DeleteRouteTableCommand({ RouteTableId })))).toMatchObject({
      name: 'DependencyViolation',
      message: `The routeTable '${RouteTableId}' has dependencies and cannot be deleted.`,
    })
    await client.send(new DisassociateRouteTableCommand({ AssociationId }))
    await client.send(new DeleteRouteTableCommand({ RouteTableId }))
  })

  test('the deletion is refused for the current main table of a VPC', async () => {
    const { client, vpcId, tableId } = await setUp()
    const Filters = [
      { Name: 'vpc-id', Values: [vpcId] },
      { Name: 'association.main', Values: ['true'] },
    ]
    const main = async () => (await client.send(new DescribeRouteTablesCommand({ Filters }))).RouteTables?.[0]
    const before = await main()
    await client.send(
      new ReplaceRouteTableAssociationCommand({
        AssociationId: before?.Associations?.[0]?.RouteTableAssociationId ?? '',
        RouteTableId: tableId,
      }),
    )
    expect((await main())?.RouteTableId).toBe(tableId)
    expect(
      await failureOf(client.send(new DeleteRouteTableCommand({ RouteTableId: tableId }))),
    ).toMatchObject({ name: 'DependencyViolation' })
    await client.send(new DeleteRouteTableCommand({ RouteTableId: before?.RouteTableId ?? '' }))
  })
})

describe('the client token of a launch', () => {
  const create = (client: EC2Client, VpcId: string, ClientToken: string) =>
    client.send(new CreateRouteTableCommand({ VpcId, ClientToken }))

  test('repeated requests create one table and return its current state', async () => {
    const { client, vpcId, gatewayId } = await setUp()
    const first = await create(client, vpcId, 'token')
    const RouteTableId = first.RouteTable?.RouteTableId ?? ''
    const route = { DestinationCidrBlock: '0.0.0.0/0', GatewayId: gatewayId }
    await client.send(new CreateRouteCommand({ RouteTableId, ...route }))
    const second = await create(client, vpcId, 'token')
    expect(second.RouteTable).toMatchObject({ RouteTableId, Routes: [{ GatewayId: 'local' }, route] })
    expect((await create(client, vpcId, 'other')).RouteTable?.RouteTableId).not.toBe(RouteTableId)
  })
})
