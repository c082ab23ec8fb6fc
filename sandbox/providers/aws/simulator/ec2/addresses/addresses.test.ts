import {
  AllocateAddressCommand,
  AssociateAddressCommand,
  CreateNetworkInterfaceCommand,
  DeleteNetworkInterfaceCommand,
  DescribeAddressesCommand,
  DetachInternetGatewayCommand,
  DisassociateAddressCommand,
  type EC2Client,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const newInterface = async (client: EC2Client, SubnetId: string): Promise<string> => {
  const { NetworkInterface } = await client.send(new CreateNetworkInterfaceCommand({ SubnetId }))
  return NetworkInterface?.NetworkInterfaceId ?? ''
}

const setUp = async () => {
  const client = network.ec2ClientOf(createAws({ ec2: { durations: { scale: 0 } } }))
  const made = await network.newNetwork(client)
  const interfaceId = await newInterface(client, made.subnetId)
  return { client, ...made, interfaceId, addressId: await network.newAddress(client) }
}

const describeAddress = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeAddressesCommand({ AllocationIds: [id] }))).Addresses?.[0]

const associate = (client: EC2Client, AllocationId: string, NetworkInterfaceId: string, more = {}) =>
  client.send(new AssociateAddressCommand({ AllocationId, NetworkInterfaceId, ...more }))

describe('elastic addresses', () => {
  test('a new address is unique and has its tags from the start', async () => {
    const { client } = await setUp()
    const allocate = () =>
      client.send(
        new AllocateAddressCommand({
          Domain: 'vpc',
          TagSpecifications: network.named('elastic-ip', 'shoot-eip-natgw-z0'),
        }),
      )
    const [one, two] = [await allocate(), await allocate()]
    expect(one.PublicIp).toMatch(/^198\.1[89]\.\d+\.\d+$/)
    expect(two.PublicIp).not.toBe(one.PublicIp)
    const Filters = [{ Name: 'tag:Name', Values: ['shoot-eip-*'] }]
    const { Addresses } = await client.send(new DescribeAddressesCommand({ Filters }))
    expect(Addresses?.map(({ AllocationId }) => AllocationId)).toEqual([one.AllocationId, two.AllocationId])
  })

  test('an address can be found by its public IP', async () => {
    const { client, addressId } = await setUp()
    const { PublicIp = '' } = (await describeAddress(client, addressId)) ?? {}
    const { Addresses } = await client.send(new DescribeAddressesCommand({ PublicIps: [PublicIp] }))
    expect(Addresses).toMatchObject([{ AllocationId: addressId, Domain: 'vpc' }])
    expect(
      await failureOf(client.send(new DescribeAddressesCommand({ PublicIps: ['8.8.8.8'] }))),
    ).toMatchObject({ name: 'InvalidAddress.NotFound', message: "Address '8.8.8.8' not found." })
  })

  test('an address stays associated with an interface until it is disassociated', async () => {
    const { client, addressId, interfaceId, subnetId } = await setUp()
    const { AssociationId } = await associate(client, addressId, interfaceId)
    expect(await describeAddress(client, addressId)).toMatchObject({
      AssociationId,
      NetworkInterfaceId: interfaceId,
      NetworkInterfaceOwnerId: '123456789012',
      PrivateIpAddress: '10.0.0.4',
      SubnetId: subnetId,
    })
    await client.send(new DisassociateAddressCommand({ AssociationId }))
    expect(await describeAddress(client, addressId)).not.toHaveProperty('AssociationId')
    expect(await failureOf(client.send(new DisassociateAddressCommand({ AssociationId })))).toMatchObject({
      name: 'InvalidAssociationID.NotFound',
    })
  })

  test('an address is free again when its interface is deleted', async () => {
    const { client, addressId, interfaceId } = await setUp()
    await associate(client, addressId, interfaceId)
    await client.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId: interfaceId }))
    expect(await describeAddress(client, addressId)).not.toHaveProperty('AssociationId')
    await client.send(new ReleaseAddressCommand({ AllocationId: addressId }))
  })

  test('an address is reassociated only if the request allows it', async () => {
    const { client, addressId, interfaceId, subnetId } = await setUp()
    const other = await newInterface(client, subnetId)
    await associate(client, addressId, interfaceId)
    expect(await failureOf(associate(client, addressId, other))).toMatchObject({
      name: 'Resource.AlreadyAssociated',
    })
    await associate(client, addressId, other, { AllowReassociation: true })
    expect(await describeAddress(client, addressId)).toMatchObject({ NetworkInterfaceId: other })
  })

  test('associating an address requires an internet gateway', async () => {
    const { client, addressId, interfaceId, gatewayId, vpcId } = await setUp()
    await client.send(new DetachInternetGatewayCommand({ InternetGatewayId: gatewayId, VpcId: vpcId }))
    expect(await failureOf(associate(client, addressId, interfaceId))).toMatchObject({
      name: 'Gateway.NotAttached',
      message: `Network ${vpcId} is not attached to any internet gateway`,
    })
  })

  test('an associated address blocks the detachment of the internet gateway', async () => {
    const { client, addressId, interfaceId, gatewayId, vpcId } = await setUp()
    await associate(client, addressId, interfaceId)
    const detach = new DetachInternetGatewayCommand({ InternetGatewayId: gatewayId, VpcId: vpcId })
    expect(await failureOf(client.send(detach))).toMatchObject({
      name: 'DependencyViolation',
      message: `Network ${vpcId} has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.`,
    })
  })
})

describe('releasing an elastic address', () => {
  const release = (client: EC2Client, AllocationId: string) =>
    client.send(new ReleaseAddressCommand({ AllocationId }))

  test('the release is refused while an interface has the address', async () => {
    const { client, addressId, interfaceId } = await setUp()
    await associate(client, addressId, interfaceId)
    const { PublicIp } = (await describeAddress(client, addressId)) ?? {}
    expect(await failureOf(release(client, addressId))).toMatchObject({
      name: 'InvalidIPAddress.InUse',
      message: `Address ${PublicIp} is in use.`,
    })
  })

  test('the release and the disassociation fail with another error while a NAT gateway has the address', async () => {
    const { client, addressId, subnetId } = await setUp()
    await network.newNatGateway(client, subnetId, addressId)
    const refused = {
      name: 'AuthFailure',
      message: 'You do not have permission to access the specified resource.',
    }
    expect(await failureOf(release(client, addressId))).toMatchObject(refused)
    const { AssociationId } = (await describeAddress(client, addressId)) ?? {}
    expect(await failureOf(client.send(new DisassociateAddressCommand({ AssociationId })))).toMatchObject(
      refused,
    )
  })

  test('the release works once', async () => {
    const { client, addressId } = await setUp()
    await release(client, addressId)
    expect(await failureOf(release(client, addressId))).toMatchObject({
      name: 'InvalidAllocationID.NotFound',
      message: `The allocation ID '${addressId}' does not exist`,
    })
  })
})
