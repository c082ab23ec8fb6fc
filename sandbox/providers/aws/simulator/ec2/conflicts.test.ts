import {
  AssociateRouteTableCommand,
  AssociateVpcCidrBlockCommand,
  AttachInternetGatewayCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateNatGatewayCommand,
  CreateRouteCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCidrReservationCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  CreateVpcEndpointCommand,
  DescribeVpcsCommand,
  DetachInternetGatewayCommand,
  ImportKeyPairCommand,
} from '@aws-sdk/client-ec2'
import { test } from 'vitest'
import * as machines from './testing/machines.ts'
import * as network from './testing/network.ts'
import { type Ec2Refusal, expectRefusal, newGateway } from './testing/refusal.ts'

const nodePort = { IpProtocol: 'tcp', FromPort: 30_000, ToPort: 32_767, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }
const tags = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Key: `key-${index}`, Value: 'v' }))

const conflicts: readonly Ec2Refusal[] = [
  [
    'a subnet over another one',
    ({ client, vpcId }) => network.newSubnet(client, vpcId, '10.0.0.128/25'),
    'InvalidSubnet.Conflict',
    "The CIDR '10.0.0.128/25' conflicts with another subnet",
  ],
  [
    'an IPv6 subnet over another one',
    async ({ client, clock }) => {
      const VpcId = await network.newVpc(client, {
        CidrBlock: '10.1.0.0/16',
        AmazonProvidedIpv6CidrBlock: true,
      })
      await clock.advance(10 * machines.seconds)
      const { Vpcs } = await client.send(new DescribeVpcsCommand({ VpcIds: [VpcId] }))
      const block = Vpcs?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
      const Ipv6CidrBlock = block.replace('/56', '/64')
      const create = (CidrBlock: string) =>
        client.send(new CreateSubnetCommand({ VpcId, CidrBlock, Ipv6CidrBlock }))
      await create('10.1.0.0/24')
      return create('10.1.1.0/24')
    },
    'InvalidSubnet.Conflict',
    /conflicts with another subnet$/,
  ],
  [
    'a subnet outside its VPC',
    ({ client, vpcId }) => network.newSubnet(client, vpcId, '192.168.0.0/24'),
    'InvalidSubnet.Range',
    "The CIDR '192.168.0.0/24' is invalid.",
  ],
  [
    'a VPC that is too large',
    ({ client }) => network.newVpc(client, { CidrBlock: '10.0.0.0/8' }),
    'InvalidVpc.Range',
    "The CIDR '10.0.0.0/8' is invalid.",
  ],
  [
    'a range that is none',
    ({ client }) => network.newVpc(client, { CidrBlock: '10.0.0.0' }),
    'InvalidParameterValue',
    'Value (10.0.0.0) for parameter cidrBlock is invalid. This is not a valid CIDR block.',
  ],
  [
    'a second block over the first',
    ({ client, vpcId }) =>
      client.send(new AssociateVpcCidrBlockCommand({ VpcId: vpcId, CidrBlock: '10.0.128.0/17' })),
    'InvalidVpc.Range',
    /10\.0\.128\.0\/17/,
  ],
  [
    'an internet gateway for a VPC that it has already',
    ({ client, gatewayId, vpcId }) =>
      client.send(new AttachInternetGatewayCommand({ InternetGatewayId: gatewayId, VpcId: vpcId })),
    'Resource.AlreadyAssociated',
    /^resource igw-[0-9a-f]{17} is already attached to network vpc-[0-9a-f]{17}$/,
  ],
  [
    'a gateway taken from where it is not',
    async ({ client, vpcId }) => {
      const InternetGatewayId = await network.newInternetGateway(client)
      return client.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId: vpcId }))
    },
    'Gateway.NotAttached',
    /^resource igw-[0-9a-f]{17} is not attached to network vpc-[0-9a-f]{17}$/,
  ],
  [
    'a subnet in two route tables',
    async ({ client, vpcId, subnetId: SubnetId }) => {
      for (const RouteTableId of [
        await network.newRouteTable(client, vpcId),
        await network.newRouteTable(client, vpcId),
      ]) {
        await client.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId }))
      }
    },
    'Resource.AlreadyAssociated',
    /^the specified association for route table rtb-[0-9a-f]{17} conflicts with an existing association$/,
  ],
  [
    'a route to a destination that has one',
    async ({ client, vpcId, gatewayId: GatewayId }) => {
      const RouteTableId = await network.newRouteTable(client, vpcId)
      const input = { RouteTableId, DestinationCidrBlock: '0.0.0.0/0' }
      await client.send(new CreateRouteCommand({ ...input, GatewayId }))
      const other = await network.newInternetGateway(client)
      return client.send(new CreateRouteCommand({ ...input, GatewayId: other }))
    },
    'InvalidParameterValue',
    /^route table rtb-[0-9a-f]{17} and network gateway igw-[0-9a-f]{17} belong to different networks$/,
  ],
  [
    'a rule that there is already',
    async ({ client, groupId: GroupId }) => {
      const add = new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: [nodePort] })
      await client.send(add)
      return client.send(add)
    },
    'InvalidPermission.Duplicate',
    'the specified rule "peer: 0.0.0.0/0, TCP, from port: 30000, to port: 32767, ALLOW" already exists',
  ],
  [
    'a group of a name that there is already',
    ({ client, vpcId }) => network.newGroup(client, vpcId, 'nodes'),
    'InvalidGroup.Duplicate',
    /^The security group 'nodes' already exists for VPC 'vpc-[0-9a-f]{17}'$/,
  ],
  [
    'a group called default',
    ({ client, vpcId }) =>
      client.send(
        new CreateSecurityGroupCommand({ VpcId: vpcId, GroupName: 'default', Description: 'mine' }),
      ),
    'InvalidGroup.Reserved',
    /default/,
  ],
  [
    'a key pair of a name that there is already',
    async ({ client }) => {
      const key = Buffer.concat([
        Buffer.from([0, 0, 0, 11]),
        Buffer.from('ssh-ed25519'),
        Buffer.from([0, 0, 0, 32]),
        Buffer.alloc(32, 7),
      ])
      const PublicKeyMaterial = Buffer.from(`ssh-ed25519 ${key.toString('base64')}`)
      const add = new ImportKeyPairCommand({ KeyName: 'shoot', PublicKeyMaterial })
      await client.send(add)
      return client.send(add)
    },
    'InvalidKeyPair.Duplicate',
    /already exists/,
  ],
  [
    'a second gateway endpoint of the same service in a route table',
    async ({ client, vpcId: VpcId }) => {
      const RouteTableIds = [await network.newRouteTable(client, VpcId)]
      const ServiceName = 'com.amazonaws.eu-west-1.s3'
      const add = new CreateVpcEndpointCommand({ VpcId, ServiceName, RouteTableIds })
      await client.send(add)
      return client.send(add)
    },
    'RouteAlreadyExists',
    /^route table rtb-[0-9a-f]{17} already has a route with destination-prefix-list-id pl-[0-9a-f]+$/,
  ],
  [
    'a NAT gateway with an address that is in use',
    async world => {
      const AllocationId = await newGateway(world)
      const input = { SubnetId: world.subnetId, AllocationId }
      return world.client.send(new CreateNatGatewayCommand(input))
    },
    'Resource.AlreadyAssociated',
    /^Elastic IP address \[eipalloc-[0-9a-f]{17}\] is already associated$/,
  ],
  [
    'a reservation over another one',
    async ({ client, subnetId: SubnetId }) => {
      const input = { SubnetId, Cidr: '10.0.0.16/28', ReservationType: 'explicit' } as const
      await client.send(new CreateSubnetCidrReservationCommand(input))
      return client.send(new CreateSubnetCidrReservationCommand(input))
    },
    'InvalidSubnetCidrReservation.Overlap',
    /10\.0\.0\.16\/28/,
  ],
]

const tagRules: readonly Ec2Refusal[] = [
  [
    "a key that begins with 'aws:'",
    ({ client, vpcId }) =>
      client.send(new CreateTagsCommand({ Resources: [vpcId], Tags: [{ Key: 'aws:x', Value: '' }] })),
    'InvalidParameterValue',
    "Tag keys starting with 'aws:' are reserved for internal use",
  ],
  [
    'the fifty-first',
    async ({ client, vpcId }) => client.send(new CreateTagsCommand({ Resources: [vpcId], Tags: tags(51) })),
    'TagLimitExceeded',
    /./,
  ],
  [
    'the fifty-first of a new resource',
    ({ client }) => {
      const TagSpecifications = [{ ResourceType: 'vpc' as const, Tags: tags(51) }]
      return client.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', TagSpecifications }))
    },
    'TagLimitExceeded',
    /./,
  ],
  [
    'a key of 129 letters',
    ({ client, vpcId }) =>
      client.send(new CreateTagsCommand({ Resources: [vpcId], Tags: [{ Key: 'k'.repeat(129), Value: '' }] })),
    'InvalidParameterValue',
    /exceeds the maximum length of 127/,
  ],
]

test.each(conflicts)('%s is refused', expectRefusal)
test.each(tagRules)('a tag cannot be %s', expectRefusal)
