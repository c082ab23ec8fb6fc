import {
  CreateVpcEndpointCommand,
  type CreateVpcEndpointCommandInput,
  DeleteRouteTableCommand,
  DeleteSubnetCommand,
  DeleteVpcEndpointsCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRouteTablesCommand,
  DescribeVpcEndpointsCommand,
  type EC2Client,
  ModifyVpcEndpointCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const s3 = 'com.amazonaws.eu-west-1.s3'
const ecr = 'com.amazonaws.eu-west-1.ecr.api'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const client = network.ec2ClientOf(createAws({ clock, ec2: { durations: { scale: 1 } } }))
  const { vpcId, subnetId } = await network.newNetwork(client)
  const create = async (input: Partial<CreateVpcEndpointCommandInput> = {}) =>
    (await client.send(new CreateVpcEndpointCommand({ VpcId: vpcId, ServiceName: s3, ...input }))).VpcEndpoint
  return { clock, client, vpcId, subnetId, create }
}

const describeEndpoints = async (client: EC2Client, ...ids: string[]) =>
  (await client.send(new DescribeVpcEndpointsCommand(ids.length ? { VpcEndpointIds: ids } : {}))).VpcEndpoints

const routesOf = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] }))).RouteTables?.[0]?.Routes

describe('gateway endpoints', () => {
  test('a gateway endpoint has a route in each of its tables, also in tables that are added later', async () => {
    const { client, vpcId, create } = await setUp()
    const [one, two] = [
      await network.newRouteTable(client, vpcId),
      await network.newRouteTable(client, vpcId),
    ]
    const made = await create({ RouteTableIds: [one] })
    const VpcEndpointId = made?.VpcEndpointId ?? ''
    const add = () => client.send(new ModifyVpcEndpointCommand({ VpcEndpointId, AddRouteTableIds: [two] }))
    await add()
    for (const table of [one, two]) {
      expect((await routesOf(client, table))?.at(-1)).toEqual({
        DestinationPrefixListId: 'pl-6da54004',
        GatewayId: VpcEndpointId,
        Origin: 'CreateRoute',
        State: 'active',
      })
    }
    expect(await failureOf(add())).toMatchObject({
      name: 'RouteAlreadyExists',
      message: `route table ${two} already has a route with destination-prefix-list-id pl-6da54004`,
    })
    expect(await failureOf(create({ RouteTableIds: [two] }))).toMatchObject({ name: 'RouteAlreadyExists' })
    await client.send(new ModifyVpcEndpointCommand({ VpcEndpointId, RemoveRouteTableIds: [two] }))
    expect(await routesOf(client, two)).toHaveLength(1)
  })

  test('deleting a route table removes it from the endpoint', async () => {
    const { client, vpcId, create } = await setUp()
    const RouteTableId = await network.newRouteTable(client, vpcId)
    const made = await create({ RouteTableIds: [RouteTableId] })
    await client.send(new DeleteRouteTableCommand({ RouteTableId }))
    expect(await describeEndpoints(client, made?.VpcEndpointId ?? '')).toMatchObject([{ RouteTableIds: [] }])
  })

  test('a deleted endpoint is deleting for a while, without its routes, and then disappears', async () => {
    const { clock, client, vpcId, create } = await setUp()
    const table = await network.newRouteTable(client, vpcId)
    const id = (await create({ RouteTableIds: [table] }))?.VpcEndpointId ?? ''
    const remove = () => client.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [id] }))
    expect((await remove()).Unsuccessful).toEqual([])
    expect(await describeEndpoints(client, id)).toMatchObject([{ State: 'deleting' }])
    expect(await routesOf(client, table)).toHaveLength(1)
    expect((await create({ RouteTableIds: [table] }))?.State).toBe('available')
    await clock.advance(5_000)
    expect(await failureOf(describeEndpoints(client, id))).toMatchObject({
      name: 'InvalidVpcEndpointId.NotFound',
    })
    expect((await remove()).Unsuccessful).toMatchObject([
      { ResourceId: id, Error: { Code: 'InvalidVpcEndpoint.NotFound' } },
    ])
  })

  test('the IP address type of an endpoint can be changed in place', async () => {
    const { client, create } = await setUp()
    const VpcEndpointId = (await create())?.VpcEndpointId ?? ''
    await client.send(new ModifyVpcEndpointCommand({ VpcEndpointId, IpAddressType: 'dualstack' }))
    expect(await describeEndpoints(client, VpcEndpointId)).toMatchObject([{ IpAddressType: 'dualstack' }])
  })

  test.each<[string, Partial<CreateVpcEndpointCommandInput>, string]>([
    ['a service that is not there', { ServiceName: 'com.amazonaws.eu-west-1.s4' }, 'InvalidServiceName'],
    ['the service of another region', { ServiceName: 'com.amazonaws.eu-west-2.s3' }, 'InvalidServiceName'],
    ['a service without gateways', { ServiceName: ecr }, 'InvalidParameter'],
    ['groups', { SecurityGroupIds: ['sg-0000000000000000f'] }, 'InvalidParameterValue'],
    ['a policy that is none', { PolicyDocument: '{' }, 'InvalidPolicyDocument'],
    [
      'a table that is not there',
      { RouteTableIds: ['rtb-0000000000000000f'] },
      'InvalidRouteTableID.NotFound',
    ],
  ])('an endpoint with %s is refused', async (_, input, name) => {
    const { create } = await setUp()
    expect(await failureOf(create(input))).toMatchObject({ name })
  })
})

describe('interface endpoints', () => {
  test('an interface endpoint has an interface in each of its subnets until it is deleted', async () => {
    const { clock, client, subnetId, vpcId, create } = await setUp()
    const groupId = await network.newGroup(client, vpcId)
    const made = await create({
      ServiceName: ecr,
      VpcEndpointType: 'Interface',
      SubnetIds: [subnetId],
      SecurityGroupIds: [groupId],
    })
    expect(made).toMatchObject({ State: 'pending', Groups: [{ GroupId: groupId, GroupName: 'nodes' }] })
    await clock.advance(60_000)
    expect(await describeEndpoints(client)).toMatchObject([{ State: 'available' }])
    const Filters = [{ Name: 'interface-type', Values: ['vpc_endpoint'] }]
    const interfaces = async () =>
      (await client.send(new DescribeNetworkInterfacesCommand({ Filters }))).NetworkInterfaces
    expect(await interfaces()).toMatchObject([
      { NetworkInterfaceId: made?.NetworkInterfaceIds?.[0], SubnetId: subnetId, RequesterManaged: true },
    ])
    await client.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [made?.VpcEndpointId ?? ''] }))
    const removeSubnet = () => client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
    expect(await failureOf(removeSubnet())).toMatchObject({
      name: 'DependencyViolation',
      message: `The subnet '${subnetId}' has dependencies and cannot be deleted.`,
    })
    await clock.advance(40_000)
    expect(await interfaces()).toEqual([])
    await removeSubnet()
  })

  test('an interface endpoint can have one subnet per zone', async () => {
    const { client, subnetId, vpcId, create } = await setUp()
    const second = await network.newSubnet(client, vpcId, '10.0.1.0/24')
    const input = { ServiceName: ecr, VpcEndpointType: 'Interface' as const, SubnetIds: [subnetId, second] }
    expect(await failureOf(create(input))).toMatchObject({ name: 'DuplicateSubnetsInSameZone' })
  })

  test('the interfaces follow changes of the subnets', async () => {
    const { client, subnetId, vpcId, create } = await setUp()
    const second = await network.newSubnet(client, vpcId, '10.0.1.0/24', 'eu-west-1b')
    const made = await create({ ServiceName: ecr, VpcEndpointType: 'Interface', SubnetIds: [subnetId] })
    const VpcEndpointId = made?.VpcEndpointId ?? ''
    await client.send(
      new ModifyVpcEndpointCommand({ VpcEndpointId, AddSubnetIds: [second], RemoveSubnetIds: [subnetId] }),
    )
    const [changed] = (await describeEndpoints(client, VpcEndpointId)) ?? []
    expect(changed?.SubnetIds).toEqual([second])
    expect(changed?.NetworkInterfaceIds).toHaveLength(1)
    await client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
  })
})
