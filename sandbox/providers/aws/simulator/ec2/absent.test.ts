import {
  CreateTagsCommand,
  DeleteRouteCommand,
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeInstancesCommand,
  DescribeInternetGatewaysCommand,
  DescribeKeyPairsCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  DisassociateRouteTableCommand,
  RevokeSecurityGroupIngressCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { test } from 'vitest'
import * as network from './testing/network.ts'
import { type Ec2Refusal, expectRefusal } from './testing/refusal.ts'

const nowhere = '0123456789abcdef0'
const nodePort = { IpProtocol: 'tcp', FromPort: 30_000, ToPort: 32_767, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }

const absences: readonly Ec2Refusal[] = [
  [
    'VPC',
    ({ client }) => client.send(new DescribeVpcsCommand({ VpcIds: [`vpc-${nowhere}`] })),
    'InvalidVpcID.NotFound',
    `The vpc ID 'vpc-${nowhere}' does not exist`,
  ],
  [
    'subnet',
    ({ client }) => client.send(new DescribeSubnetsCommand({ SubnetIds: [`subnet-${nowhere}`] })),
    'InvalidSubnetID.NotFound',
    `The subnet ID 'subnet-${nowhere}' does not exist`,
  ],
  [
    'route table',
    ({ client }) => client.send(new DescribeRouteTablesCommand({ RouteTableIds: [`rtb-${nowhere}`] })),
    'InvalidRouteTableID.NotFound',
    `The routeTable ID 'rtb-${nowhere}' does not exist`,
  ],
  [
    'internet gateway',
    ({ client }) =>
      client.send(new DescribeInternetGatewaysCommand({ InternetGatewayIds: [`igw-${nowhere}`] })),
    'InvalidInternetGatewayID.NotFound',
    `The internetGateway ID 'igw-${nowhere}' does not exist`,
  ],
  [
    'NAT gateway',
    ({ client }) => client.send(new DescribeNatGatewaysCommand({ NatGatewayIds: [`nat-${nowhere}`] })),
    'NatGatewayNotFound',
    /nat-0123456789abcdef0/,
  ],
  [
    'security group',
    ({ client }) => client.send(new DescribeSecurityGroupsCommand({ GroupIds: [`sg-${nowhere}`] })),
    'InvalidGroup.NotFound',
    `The security group 'sg-${nowhere}' does not exist`,
  ],
  [
    'address',
    ({ client }) => client.send(new DescribeAddressesCommand({ AllocationIds: [`eipalloc-${nowhere}`] })),
    'InvalidAllocationID.NotFound',
    /eipalloc-0123456789abcdef0/,
  ],
  [
    'set of DHCP options',
    ({ client }) => client.send(new DescribeDhcpOptionsCommand({ DhcpOptionsIds: [`dopt-${nowhere}`] })),
    'InvalidDhcpOptionID.NotFound',
    /dopt-0123456789abcdef0/,
  ],
  [
    'endpoint',
    ({ client }) => client.send(new DescribeVpcEndpointsCommand({ VpcEndpointIds: [`vpce-${nowhere}`] })),
    'InvalidVpcEndpointId.NotFound',
    /vpce-0123456789abcdef0/,
  ],
  [
    'key pair',
    ({ client }) => client.send(new DescribeKeyPairsCommand({ KeyNames: ['none'] })),
    'InvalidKeyPair.NotFound',
    "The key pair 'none' does not exist",
  ],
  [
    'instance',
    ({ client }) => client.send(new DescribeInstancesCommand({ InstanceIds: [`i-${nowhere}`] })),
    'InvalidInstanceID.NotFound',
    `The instance ID 'i-${nowhere}' does not exist`,
  ],
  [
    'image',
    ({ run }) => run({ ImageId: `ami-${nowhere}` }),
    'InvalidAMIID.NotFound',
    `The image id '[ami-${nowhere}]' does not exist`,
  ],
  [
    'route',
    async ({ client, vpcId }) => {
      const RouteTableId = await network.newRouteTable(client, vpcId)
      return client.send(new DeleteRouteCommand({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0' }))
    },
    'InvalidRoute.NotFound',
    /^no route with destination-cidr-block 0\.0\.0\.0\/0 in route table rtb-/,
  ],
  [
    'association',
    ({ client }) => client.send(new DisassociateRouteTableCommand({ AssociationId: `rtbassoc-${nowhere}` })),
    'InvalidAssociationID.NotFound',
    /rtbassoc-0123456789abcdef0/,
  ],
  [
    'rule',
    ({ client, groupId: GroupId }) =>
      client.send(new RevokeSecurityGroupIngressCommand({ GroupId, IpPermissions: [nodePort] })),
    'InvalidPermission.NotFound',
    'The specified rule does not exist in this security group.',
  ],
  [
    'resource to be tagged',
    ({ client }) =>
      client.send(new CreateTagsCommand({ Resources: [`vpc-${nowhere}`], Tags: [{ Key: 'k', Value: 'v' }] })),
    'InvalidVpcID.NotFound',
    /vpc-0123456789abcdef0/,
  ],
]

const forms: readonly Ec2Refusal[] = [
  ...[
    [
      'internet gateway',
      new DescribeInternetGatewaysCommand({ InternetGatewayIds: ['nonsense'] }),
      'InvalidInternetGatewayId.Malformed',
    ],
    [
      'security group',
      new DescribeSecurityGroupsCommand({ GroupIds: ['nonsense'] }),
      'InvalidGroupId.Malformed',
    ],
    ['instance', new TerminateInstancesCommand({ InstanceIds: ['nonsense'] }), 'InvalidInstanceID.Malformed'],
    ['NAT gateway', new DescribeNatGatewaysCommand({ NatGatewayIds: ['nonsense'] }), 'NatGatewayMalformed'],
    [
      'endpoint',
      new DescribeVpcEndpointsCommand({ VpcEndpointIds: ['nonsense'] }),
      'InvalidVpcEndpointId.Malformed',
    ],
    [
      'image',
      new RunInstancesCommand({ ImageId: 'nonsense', MinCount: 1, MaxCount: 1 }),
      'InvalidAMIID.Malformed',
    ],
  ].map(
    ([kind, command, code]): Ec2Refusal => [
      `an id of no ${kind}`,
      ({ client }) => client.send(command as DescribeVpcsCommand),
      String(code),
      /nonsense/,
    ],
  ),
]

test.each(absences)('a request for a missing %s is refused', expectRefusal)
test.each(forms)('a malformed %s is refused', expectRefusal)
