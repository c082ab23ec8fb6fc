import {
  CreateNatGatewayCommand,
  DeleteNatGatewayCommand,
  DeleteSubnetCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeNetworkInterfacesCommand,
  type EC2Client,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import type { Ec2DurationSettings } from '../core/durations.ts'
import type { Limits } from '../core/limits.ts'
import { failNatGateways } from '../inventory.ts'
import * as network from '../testing/network.ts'

const seconds = 1_000

const setUp = async (limits: Limits = {}, durations: Ec2DurationSettings = {}) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 1, ...durations }, limits } })
  const client = network.ec2ClientOf(aws)
  const { vpcId, subnetId } = await network.newNetwork(client)
  return { aws, clock, client, vpcId, subnetId, addressId: await network.newAddress(client) }
}

const describeGateway = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeNatGatewaysCommand({ NatGatewayIds: [id] }))).NatGateways?.[0]

const describeAddress = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeAddressesCommand({ AllocationIds: [id] }))).Addresses?.[0]

const remove = (client: EC2Client, NatGatewayId: string) =>
  client.send(new DeleteNatGatewayCommand({ NatGatewayId }))

describe('a new NAT gateway', () => {
  test('the address of an available NAT gateway may appear later', async () => {
    const { clock, client, subnetId, addressId } = await setUp({}, { natAddressShown: 5 * seconds })
    const id = await network.newNatGateway(client, subnetId, addressId)
    await clock.advance(100 * seconds)
    const { State, NatGatewayAddresses } = (await describeGateway(client, id)) ?? {}
    expect({ State, NatGatewayAddresses }).toEqual({
      State: 'available',
      NatGatewayAddresses: [{ AllocationId: addressId, IsPrimary: true, Status: 'associating' }],
    })
    await clock.advance(5 * seconds)
    expect((await describeGateway(client, id))?.NatGatewayAddresses).toMatchObject([{ Status: 'succeeded' }])
  })

  test('a NAT gateway is pending without a public address, then available with one', async () => {
    const { clock, client, subnetId, addressId, vpcId } = await setUp()
    const id = await network.newNatGateway(client, subnetId, addressId)
    expect(await describeGateway(client, id)).toMatchObject({
      State: 'pending',
      NatGatewayAddresses: [{ AllocationId: addressId, IsPrimary: true, Status: 'associating' }],
    })
    await clock.advance(100 * seconds)
    const { PublicIp } = (await describeAddress(client, addressId)) ?? {}
    expect(await describeGateway(client, id)).toMatchObject({
      State: 'available',
      VpcId: vpcId,
      SubnetId: subnetId,
      ConnectivityType: 'public',
      NatGatewayAddresses: [
        { AllocationId: addressId, PublicIp, PrivateIp: '10.0.0.4', Status: 'succeeded' },
      ],
    })
  })

  test('a NAT gateway has an interface in its subnet that belongs to AWS', async () => {
    const { client, subnetId, addressId } = await setUp()
    const id = await network.newNatGateway(client, subnetId, addressId)
    const Filters = [{ Name: 'subnet-id', Values: [subnetId] }]
    const { NetworkInterfaces } = await client.send(new DescribeNetworkInterfacesCommand({ Filters }))
    expect(NetworkInterfaces).toMatchObject([
      {
        InterfaceType: 'nat_gateway',
        Description: `Interface for NAT Gateway ${id}`,
        RequesterManaged: true,
        Groups: [],
        SourceDestCheck: false,
        Association: { AllocationId: addressId },
      },
    ])
  })

  test('a NAT gateway requires an unassociated elastic address', async () => {
    const { client, subnetId, addressId } = await setUp()
    await network.newNatGateway(client, subnetId, addressId)
    expect(await failureOf(network.newNatGateway(client, subnetId, addressId))).toMatchObject({
      name: 'Resource.AlreadyAssociated',
      message: `Elastic IP address [${addressId}] is already associated`,
    })
  })

  test.each([
    [{ SubnetId: 'subnet-0000000000000000f' }, 'InvalidSubnetID.NotFound'],
    [{ AllocationId: 'eipalloc-0000000000000000f' }, 'InvalidElasticIpID.NotFound'],
  ])('a NAT gateway with %o is refused', async (wrong, name) => {
    const { client, subnetId, addressId } = await setUp()
    const input = { SubnetId: subnetId, AllocationId: addressId, ...wrong }
    expect(
      await failureOf(client.send(new CreateNatGatewayCommand(input as { SubnetId: string }))),
    ).toMatchObject({ name })
    expect(await describeAddress(client, addressId)).not.toHaveProperty('AssociationId')
  })

  test('a NAT gateway is refused if it exceeds the limit of its zone', async () => {
    const { client, subnetId, addressId, vpcId } = await setUp({ natGateways: 1 })
    await network.newNatGateway(client, subnetId, addressId)
    const second = await network.newAddress(client)
    expect(await failureOf(network.newNatGateway(client, subnetId, second))).toMatchObject({
      name: 'NatGatewayLimitExceeded',
      message: 'Performing this operation would exceed the limit of 1 NAT gateways',
    })
    const elsewhere = await network.newSubnet(client, vpcId, '10.0.1.0/24', 'eu-west-1b')
    await expect(network.newNatGateway(client, elsewhere, second)).resolves.toMatch(/^nat-/)
  })
})

describe('a failing NAT gateway', () => {
  test('a NAT gateway in a VPC without an internet gateway fails and frees its address', async () => {
    const { clock, client, addressId } = await setUp()
    const vpcId = await network.newVpc(client)
    const subnetId = await network.newSubnet(client, vpcId)
    const id = await network.newNatGateway(client, subnetId, addressId)
    expect(await describeGateway(client, id)).toMatchObject({ State: 'pending' })
    await clock.advance(30 * seconds)
    expect(await describeGateway(client, id)).toMatchObject({
      State: 'failed',
      FailureCode: 'Gateway.NotAttached',
      FailureMessage: `Network ${vpcId} has no Internet gateway attached`,
      NatGatewayAddresses: [{ AllocationId: addressId, Status: 'failed' }],
    })
    expect(await describeAddress(client, addressId)).not.toHaveProperty('AssociationId')
    await client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
    await clock.advance(3_600 * seconds)
    expect(await failureOf(describeGateway(client, id))).toMatchObject({ name: 'NatGatewayNotFound' })
  })

  test('a requested failure happens once per request', async () => {
    const { aws, clock, client, subnetId, addressId } = await setUp()
    const message =
      'Network interface eni-1, created and used internally by this NAT gateway is in an invalid state.'
    failNatGateways(aws.account(), 'eu-west-1', [{ code: 'InternalError', message }])
    const first = await network.newNatGateway(client, subnetId, addressId)
    const second = await network.newNatGateway(client, subnetId, await network.newAddress(client))
    await clock.advance(100 * seconds)
    expect(await describeGateway(client, first)).toMatchObject({
      State: 'failed',
      FailureCode: 'InternalError',
    })
    expect(await describeGateway(client, second)).toMatchObject({ State: 'available' })
  })
})

describe('a deleted NAT gateway', () => {
  test('a deleted gateway holds its address and its subnet until the deletion is complete', async () => {
    const { clock, client, subnetId, addressId } = await setUp()
    const id = await network.newNatGateway(client, subnetId, addressId)
    await clock.advance(100 * seconds)
    await remove(client, id)
    expect(await describeGateway(client, id)).toMatchObject({ State: 'deleting' })
    const release = () => client.send(new ReleaseAddressCommand({ AllocationId: addressId }))
    const removeSubnet = () => client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
    await clock.advance(49 * seconds)
    expect(await failureOf(release())).toMatchObject({ name: 'AuthFailure' })
    expect(await failureOf(removeSubnet())).toMatchObject({ name: 'DependencyViolation' })
    await clock.advance(1 * seconds)
    expect(await describeGateway(client, id)).toMatchObject({ State: 'deleted' })
    await release()
    await removeSubnet()
  })

  test('a deleted gateway is listed for an hour and is then unknown', async () => {
    const { clock, client, subnetId, addressId } = await setUp()
    const id = await network.newNatGateway(client, subnetId, addressId)
    await remove(client, id)
    await clock.advance(50 * seconds + 3_599 * seconds)
    const Filter = [{ Name: 'state', Values: ['deleted'] }]
    const { NatGateways } = await client.send(new DescribeNatGatewaysCommand({ Filter }))
    expect(NatGateways).toMatchObject([{ NatGatewayId: id, DeleteTime: expect.any(Date) }])
    expect(await failureOf(remove(client, id))).toMatchObject({ name: 'NatGatewayNotFound' })
    await clock.advance(1 * seconds)
    expect(await failureOf(describeGateway(client, id))).toMatchObject({ name: 'NatGatewayNotFound' })
  })

  test('a gateway can be deleted again while it is deleting', async () => {
    const { clock, client, subnetId, addressId } = await setUp()
    const id = await network.newNatGateway(client, subnetId, addressId)
    await remove(client, id)
    await clock.advance(40 * seconds)
    await remove(client, id)
    await clock.advance(10 * seconds)
    expect(await describeGateway(client, id)).toMatchObject({ State: 'deleted' })
  })
})

test('NAT gateways can be found by VPC, subnet, state and tag', async () => {
  const { client, vpcId, subnetId: SubnetId, addressId: AllocationId } = await setUp()
  const { NatGateway } = await client.send(
    new CreateNatGatewayCommand({
      SubnetId,
      AllocationId,
      TagSpecifications: network.named('natgateway', 'shoot-natgw-z0'),
    }),
  )
  const find = async (Name: string, value: string) =>
    (
      await client.send(new DescribeNatGatewaysCommand({ Filter: [{ Name, Values: [value] }] }))
    ).NatGateways?.map(({ NatGatewayId }) => NatGatewayId)
  for (const [name, value] of [
    ['vpc-id', vpcId],
    ['subnet-id', SubnetId],
    ['state', 'pending'],
    ['tag:Name', '*natgw*'],
    ['tag-key', 'Name'],
  ] as const) {
    expect(await find(name, value)).toEqual([NatGateway?.NatGatewayId])
  }
  expect(await find('state', 'available')).toEqual([])
})
