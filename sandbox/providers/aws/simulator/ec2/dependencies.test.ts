import {
  AssociateRouteTableCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateVpcEndpointCommand,
  DeleteDhcpOptionsCommand,
  DeleteInternetGatewayCommand,
  DeleteRouteTableCommand,
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  DeleteVpcCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcsCommand,
  DetachInternetGatewayCommand,
  type EC2Client,
  ReleaseAddressCommand,
} from '@aws-sdk/client-ec2'
import { test } from 'vitest'
import * as machines from './testing/machines.ts'
import * as network from './testing/network.ts'
import { type Ec2Refusal, expectRefusal, newGateway } from './testing/refusal.ts'

/** Creates an interface endpoint, which has a network interface in the subnet. */
const newInterface = (client: EC2Client, VpcId: string, subnetId: string, SecurityGroupIds: string[]) =>
  client.send(
    new CreateVpcEndpointCommand({
      VpcId,
      SecurityGroupIds,
      VpcEndpointType: 'Interface',
      ServiceName: 'com.amazonaws.eu-west-1.ec2',
      SubnetIds: [subnetId],
      PrivateDnsEnabled: false,
    }),
  )

const dependencies: readonly Ec2Refusal[] = [
  [
    'a VPC with a subnet is not deleted',
    ({ client, vpcId }) => client.send(new DeleteVpcCommand({ VpcId: vpcId })),
    'DependencyViolation',
    /^The vpc 'vpc-[0-9a-f]{17}' has dependencies and cannot be deleted\.$/,
  ],
  [
    'a VPC with a security group of its own is not deleted',
    async ({ client }) => {
      const VpcId = await network.newVpc(client)
      await network.newGroup(client, VpcId)
      return client.send(new DeleteVpcCommand({ VpcId }))
    },
    'DependencyViolation',
    /has dependencies and cannot be deleted/,
  ],
  [
    'a VPC with an internet gateway is not deleted',
    async ({ client }) => {
      const VpcId = await network.newVpc(client)
      await network.newInternetGateway(client, VpcId)
      return client.send(new DeleteVpcCommand({ VpcId }))
    },
    'DependencyViolation',
    /has dependencies and cannot be deleted/,
  ],
  [
    'a VPC with an egress-only gateway is not deleted',
    async ({ client }) => {
      const VpcId = await network.newVpc(client)
      await client.send(new CreateEgressOnlyInternetGatewayCommand({ VpcId }))
      return client.send(new DeleteVpcCommand({ VpcId }))
    },
    'DependencyViolation',
    /has dependencies and cannot be deleted/,
  ],
  [
    'a VPC with a route table of its own is not deleted',
    async ({ client }) => {
      const VpcId = await network.newVpc(client)
      await network.newRouteTable(client, VpcId)
      return client.send(new DeleteVpcCommand({ VpcId }))
    },
    'DependencyViolation',
    /has dependencies and cannot be deleted/,
  ],
  [
    'DHCP options that a VPC uses are not deleted',
    async ({ client, vpcId }) => {
      const { Vpcs } = await client.send(new DescribeVpcsCommand({ VpcIds: [vpcId] }))
      return client.send(new DeleteDhcpOptionsCommand({ DhcpOptionsId: Vpcs?.[0]?.DhcpOptionsId }))
    },
    'DependencyViolation',
    /has dependencies and cannot be deleted/,
  ],
  [
    'a subnet with an interface is not deleted',
    async ({ client, vpcId, subnetId, groupId }) => {
      await newInterface(client, vpcId, subnetId, [groupId])
      return client.send(new DeleteSubnetCommand({ SubnetId: subnetId }))
    },
    'DependencyViolation',
    /^The subnet 'subnet-[0-9a-f]{17}' has dependencies and cannot be deleted\.$/,
  ],
  [
    'a subnet with a NAT gateway in it is not deleted',
    async world => {
      await newGateway(world)
      return world.client.send(new DeleteSubnetCommand({ SubnetId: world.subnetId }))
    },
    'DependencyViolation',
    /has dependencies and cannot be deleted/,
  ],
  [
    'a group that an interface has is not deleted',
    async ({ client, vpcId, subnetId, groupId }) => {
      await newInterface(client, vpcId, subnetId, [groupId])
      return client.send(new DeleteSecurityGroupCommand({ GroupId: groupId }))
    },
    'DependencyViolation',
    /^resource sg-[0-9a-f]{17} has a dependent object$/,
  ],
  [
    'a group that a rule of another one names is not deleted',
    async ({ client, vpcId, groupId }) => {
      const GroupId = await network.newGroup(client, vpcId, 'bastion')
      const IpPermissions = [{ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: groupId }] }]
      await client.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions }))
      return client.send(new DeleteSecurityGroupCommand({ GroupId: groupId }))
    },
    'DependencyViolation',
    /has a dependent object/,
  ],
  [
    'the default group of a VPC is not deleted',
    async ({ client, vpcId }) => {
      const Filters = [
        { Name: 'vpc-id', Values: [vpcId] },
        { Name: 'group-name', Values: ['default'] },
      ]
      const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ Filters }))
      return client.send(new DeleteSecurityGroupCommand({ GroupId: SecurityGroups?.[0]?.GroupId }))
    },
    'CannotDelete',
    /^the specified group: "sg-[0-9a-f]{17}" name: "default" cannot be deleted by a user$/,
  ],
  [
    'a route table with a subnet is not deleted',
    async ({ client, vpcId, subnetId }) => {
      const RouteTableId = await network.newRouteTable(client, vpcId)
      await client.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId: subnetId }))
      return client.send(new DeleteRouteTableCommand({ RouteTableId }))
    },
    'DependencyViolation',
    /^The routeTable 'rtb-[0-9a-f]{17}' has dependencies and cannot be deleted\.$/,
  ],
  [
    'an internet gateway of a VPC is not deleted',
    ({ client, gatewayId }) =>
      client.send(new DeleteInternetGatewayCommand({ InternetGatewayId: gatewayId })),
    'DependencyViolation',
    /^The internetGateway 'igw-[0-9a-f]{17}' has dependencies and cannot be deleted\.$/,
  ],
  [
    'an internet gateway is not detached while the VPC has public addresses',
    async world => {
      await newGateway(world)
      await world.clock.advance(120 * machines.seconds)
      const { gatewayId: InternetGatewayId, vpcId: VpcId } = world
      return world.client.send(new DetachInternetGatewayCommand({ InternetGatewayId, VpcId }))
    },
    'DependencyViolation',
    /^Network vpc-[0-9a-f]{17} has some mapped public address\(es\)\. Please unmap those public address\(es\) before detaching the gateway\.$/,
  ],
  [
    'an address of a NAT gateway is not released',
    async world => {
      const AllocationId = await newGateway(world)
      return world.client.send(new ReleaseAddressCommand({ AllocationId }))
    },
    'AuthFailure',
    'You do not have permission to access the specified resource.',
  ],
]

test.each(dependencies)('%s', expectRefusal)
