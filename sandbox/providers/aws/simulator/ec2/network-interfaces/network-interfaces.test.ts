import {
  AssignIpv6AddressesCommand,
  CreateNetworkInterfaceCommand,
  type CreateNetworkInterfaceCommandInput,
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteNetworkInterfaceCommand,
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DescribeNetworkInterfacesCommand,
  type EC2Client,
  ModifyNetworkInterfaceAttributeCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import { createContext, resolveSettings } from '../core/context.ts'
import { ec2Owner } from '../core/model.ts'
import { createServiceInterface, deleteServiceInterface } from '../network-interfaces.ts'
import * as network from '../testing/network.ts'

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2: { durations: { scale: 0 } } })
  const client = network.ec2ClientOf(aws)
  const { vpcId, subnetId } = await network.newNetwork(client)
  const create = async (input: Partial<CreateNetworkInterfaceCommandInput> = {}) =>
    (await client.send(new CreateNetworkInterfaceCommand({ SubnetId: subnetId, ...input }))).NetworkInterface
  return { aws, clock, client, vpcId, subnetId, create }
}

const describeInterface = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: [id] })))
    .NetworkInterfaces?.[0]

const newIpv6Subnet = async (client: EC2Client): Promise<string> => {
  const { Vpc } = await client.send(
    new CreateVpcCommand({ CidrBlock: '10.9.0.0/16', AmazonProvidedIpv6CidrBlock: true }),
  )
  const block = Vpc?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
  const { Subnet } = await client.send(
    new CreateSubnetCommand({
      VpcId: Vpc?.VpcId,
      CidrBlock: '10.9.0.0/24',
      Ipv6CidrBlock: block.replace('/56', '/64'),
    }),
  )
  return Subnet?.SubnetId ?? ''
}

describe('network interfaces', () => {
  test('an interface gets the first free address and the default group', async () => {
    const { create } = await setUp()
    expect(await create()).toMatchObject({
      PrivateIpAddress: '10.0.0.4',
      PrivateDnsName: 'ip-10-0-0-4.eu-west-1.compute.internal',
      Groups: [{ GroupName: 'default' }],
      Status: 'available',
      SourceDestCheck: true,
      RequesterManaged: false,
      MacAddress: expect.stringMatching(/^02(:[0-9a-f]{2}){5}$/),
    })
    expect(await create()).toMatchObject({ PrivateIpAddress: '10.0.0.5' })
  })

  test('an interface gets no recently freed address until all others of the subnet were used', async () => {
    const { client, create, vpcId } = await setUp()
    const small = await client.send(new CreateSubnetCommand({ VpcId: vpcId, CidrBlock: '10.0.16.0/28' }))
    const next = async () => (await create({ SubnetId: small.Subnet?.SubnetId })) ?? {}
    const given: (string | undefined)[] = []
    for (let count = 0; count < 13; count++) {
      const { PrivateIpAddress, NetworkInterfaceId } = await next()
      given.push(PrivateIpAddress)
      await client.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId }))
    }
    const all = Array.from({ length: 11 }, (_, index) => `10.0.16.${4 + index}`)
    expect(given).toEqual([...all, '10.0.16.4', '10.0.16.5'])
  })

  test('an EFA-only interface has no address, accepts none, and has no check to disable', async () => {
    const { client, create } = await setUp()
    const made = await create({ InterfaceType: 'efa-only' as 'efa' })
    expect(made).toMatchObject({ InterfaceType: 'efa-only', PrivateIpAddresses: [] })
    expect(made).not.toHaveProperty('PrivateIpAddress')
    const withAddress = create({ InterfaceType: 'efa-only' as 'efa', PrivateIpAddress: '10.0.0.9' })
    expect(await failureOf(withAddress)).toMatchObject({ name: 'InvalidParameterCombination' })
    const uncheck = client.send(
      new ModifyNetworkInterfaceAttributeCommand({
        NetworkInterfaceId: made?.NetworkInterfaceId,
        SourceDestCheck: { Value: false },
      }),
    )
    expect(await failureOf(uncheck)).toMatchObject({ name: 'UnsupportedOperation' })
  })

  test('an interface gets the requested addresses if they are free and in the subnet', async () => {
    const { create } = await setUp()
    const made = await create({ PrivateIpAddress: '10.0.0.77', SecondaryPrivateIpAddressCount: 2 })
    expect(made?.PrivateIpAddresses?.map(each => [each.PrivateIpAddress, each.Primary])).toEqual([
      ['10.0.0.77', true],
      ['10.0.0.4', false],
      ['10.0.0.5', false],
    ])
    expect(await failureOf(create({ PrivateIpAddress: '10.0.0.77' }))).toMatchObject({
      name: 'InvalidIPAddress.InUse',
    })
    for (const PrivateIpAddress of ['10.0.1.4', '10.0.0.3', '10.0.0.255']) {
      expect(await failureOf(create({ PrivateIpAddress }))).toMatchObject({ name: 'InvalidParameterValue' })
    }
  })

  test('an interface in a full subnet is refused', async () => {
    const { client, vpcId, create } = await setUp()
    const SubnetId = await network.newSubnet(client, vpcId, '10.0.1.0/28')
    await create({ SubnetId, SecondaryPrivateIpAddressCount: 10 })
    expect(await failureOf(create({ SubnetId }))).toMatchObject({ name: 'InsufficientFreeAddressesInSubnet' })
  })

  test('an interface accepts only groups of its VPC', async () => {
    const { client, create } = await setUp()
    const stranger = await network.newGroup(client, await network.newVpc(client))
    expect(await failureOf(create({ Groups: [stranger] }))).toMatchObject({
      name: 'InvalidParameter',
      message: expect.stringContaining('belong to different networks'),
    })
  })

  test.each([
    [{ SourceDestCheck: { Value: false } }, { SourceDestCheck: false }],
    [{ Description: { Value: 'mine' } }, { Description: 'mine' }],
  ])('an interface can be changed: %o', async (change, expected) => {
    const { client, create } = await setUp()
    const NetworkInterfaceId = (await create())?.NetworkInterfaceId ?? ''
    await client.send(new ModifyNetworkInterfaceAttributeCommand({ NetworkInterfaceId, ...change }))
    expect(await describeInterface(client, NetworkInterfaceId)).toMatchObject(expected)
  })

  test('a request changes one attribute at a time', async () => {
    const { client, create } = await setUp()
    const NetworkInterfaceId = (await create())?.NetworkInterfaceId ?? ''
    const both = { SourceDestCheck: { Value: false }, Description: { Value: 'mine' } }
    expect(
      await failureOf(
        client.send(new ModifyNetworkInterfaceAttributeCommand({ NetworkInterfaceId, ...both })),
      ),
    ).toMatchObject({ name: 'InvalidParameterCombination' })
  })

  test('an interface can be found by subnet, group, address and description', async () => {
    const { client, vpcId, subnetId, create } = await setUp()
    const groupId = await network.newGroup(client, vpcId)
    await create()
    const made = await create({ Groups: [groupId], Description: 'ELB app/x/1' })
    for (const [Name, value] of [
      ['group-id', groupId],
      ['private-ip-address', '10.0.0.5'],
      ['description', 'ELB *'],
    ] as const) {
      const Filters = [
        { Name: 'subnet-id', Values: [subnetId] },
        { Name, Values: [value] },
      ]
      const { NetworkInterfaces } = await client.send(new DescribeNetworkInterfacesCommand({ Filters }))
      expect(NetworkInterfaces?.map(each => each.NetworkInterfaceId)).toEqual([made?.NetworkInterfaceId])
    }
  })
})

describe('IPv6 addresses', () => {
  test('IPv6 addresses are assigned by count and as prefixes', async () => {
    const { client, create } = await setUp()
    const made = await create({ SubnetId: await newIpv6Subnet(client), Ipv6AddressCount: 1 })
    const NetworkInterfaceId = made?.NetworkInterfaceId ?? ''
    const first = made?.Ipv6Addresses?.[0]?.Ipv6Address ?? ''
    expect(first).toMatch(/^2a05:d/)
    const more = await client.send(
      new AssignIpv6AddressesCommand({ NetworkInterfaceId, Ipv6AddressCount: 1, Ipv6PrefixCount: 1 }),
    )
    expect(more.AssignedIpv6Addresses).toHaveLength(1)
    expect(more.AssignedIpv6Addresses).not.toContain(first)
    expect(more.AssignedIpv6Prefixes).toEqual([expect.stringMatching(/\/80$/)])
    const described = await describeInterface(client, NetworkInterfaceId)
    expect(described?.Ipv6Addresses).toHaveLength(2)
    expect(described?.Ipv6Prefixes).toEqual([{ Ipv6Prefix: more.AssignedIpv6Prefixes?.[0] }])
  })

  test('IPv6 addresses need a block of the subnet', async () => {
    const { create, client } = await setUp()
    const NetworkInterfaceId = (await create())?.NetworkInterfaceId ?? ''
    for (const wanted of [{ Ipv6AddressCount: 1 }, { Ipv6PrefixCount: 1 }]) {
      expect(
        await failureOf(client.send(new AssignIpv6AddressesCommand({ NetworkInterfaceId, ...wanted }))),
      ).toMatchObject({ name: 'InvalidParameterValue', message: expect.stringContaining('IPv6 CIDR block') })
    }
  })
})

describe('the interface of another service', () => {
  const withService = async () => {
    const world = await setUp()
    const groupId = await network.newGroup(world.client, world.vpcId)
    const ec2 = () =>
      createContext(
        {
          state: world.aws.account().state(ec2Owner, 'eu-west-1'),
          region: 'eu-west-1',
          clock: world.clock,
          accountId: '123456789012',
          newId: length => 'a'.repeat(length),
        },
        resolveSettings({}),
      )
    const { id } = createServiceInterface(ec2(), {
      subnetId: world.subnetId,
      groupIds: [groupId],
      description: 'ELB app/name/50dc6c495c0c9188',
      requester: 'amazon-elb',
      isPublic: true,
    })
    return { ...world, groupId, ec2, id }
  }

  test('the interface is shown as in use by the service, with its public address', async () => {
    const { client, id } = await withService()
    expect(await describeInterface(client, id)).toMatchObject({
      Description: 'ELB app/name/50dc6c495c0c9188',
      RequesterId: 'amazon-elb',
      RequesterManaged: true,
      Status: 'in-use',
      Attachment: { InstanceOwnerId: 'amazon-elb' },
      Association: { PublicIp: expect.stringMatching(/^198\./), IpOwnerId: 'amazon' },
    })
  })

  test('the interface blocks its subnet and its group until it is deleted, which may be later', async () => {
    const { client, clock, subnetId, groupId, ec2, id } = await withService()
    const removeSubnet = () => client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
    const removeGroup = () => client.send(new DeleteSecurityGroupCommand({ GroupId: groupId }))
    deleteServiceInterface(ec2(), id, clock.now() + 60_000)
    await clock.advance(59_999)
    expect(await failureOf(removeSubnet())).toMatchObject({ name: 'DependencyViolation' })
    expect(await failureOf(removeGroup())).toMatchObject({ name: 'DependencyViolation' })
    await clock.advance(1)
    await removeGroup()
    await removeSubnet()
  })

  test('users cannot change the interface', async () => {
    const { client, id: NetworkInterfaceId } = await withService()
    expect(
      await failureOf(client.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId }))),
    ).toMatchObject({ name: 'InvalidParameterValue' })
    const change = { NetworkInterfaceId, SourceDestCheck: { Value: false } }
    expect(await failureOf(client.send(new ModifyNetworkInterfaceAttributeCommand(change)))).toMatchObject({
      name: 'OperationNotPermitted',
    })
  })
})
