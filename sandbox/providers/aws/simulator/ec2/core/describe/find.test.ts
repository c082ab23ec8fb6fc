import {
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeImagesCommand,
  DescribeInstancesCommand,
  DescribeInternetGatewaysCommand,
  DescribeKeyPairsCommand,
  DescribeNatGatewaysCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../../simulator.ts'
import { failureOf } from '../../../testing/clients.ts'
import * as network from '../../testing/network.ts'

describe('resource ids', () => {
  test.each([
    [
      'vpcs',
      () => new DescribeVpcsCommand({ VpcIds: ['vpc-0000'] }),
      'InvalidVpcID.NotFound',
      "The vpc ID 'vpc-0000' does not exist",
    ],
    [
      'subnets',
      () => new DescribeSubnetsCommand({ SubnetIds: ['subnet-0000000000000000f'] }),
      'InvalidSubnetID.NotFound',
      "The subnet ID 'subnet-0000000000000000f' does not exist",
    ],
    [
      'route tables',
      () => new DescribeRouteTablesCommand({ RouteTableIds: ['rtb-1'] }),
      'InvalidRouteTableID.NotFound',
      "The routeTable ID 'rtb-1' does not exist",
    ],
    [
      'internet gateways',
      () => new DescribeInternetGatewaysCommand({ InternetGatewayIds: ['igw-0000000000000000f'] }),
      'InvalidInternetGatewayID.NotFound',
      "The internetGateway ID 'igw-0000000000000000f' does not exist",
    ],
    [
      'internet gateways',
      () => new DescribeInternetGatewaysCommand({ InternetGatewayIds: ['igw-zz'] }),
      'InvalidInternetGatewayId.Malformed',
      'Invalid id: "igw-zz" (expecting "igw-...")',
    ],
    [
      'groups',
      () => new DescribeSecurityGroupsCommand({ GroupIds: ['sg-0000000000000000f'] }),
      'InvalidGroup.NotFound',
      "The security group 'sg-0000000000000000f' does not exist",
    ],
    [
      'groups',
      () => new DescribeSecurityGroupsCommand({ GroupIds: ['vpc-0000000000000000f'] }),
      'InvalidGroupId.Malformed',
      'Invalid id: "vpc-0000000000000000f" (expecting "sg-...")',
    ],
    [
      'NAT gateways',
      () => new DescribeNatGatewaysCommand({ NatGatewayIds: ['nat-0000000000000000f'] }),
      'NatGatewayNotFound',
      'The Nat Gateway nat-0000000000000000f was not found',
    ],
    [
      'NAT gateways',
      () => new DescribeNatGatewaysCommand({ NatGatewayIds: ['nat'] }),
      'NatGatewayMalformed',
      'Invalid id: "nat" (expecting "nat-...")',
    ],
    [
      'addresses',
      () => new DescribeAddressesCommand({ AllocationIds: ['eipalloc-1'] }),
      'InvalidAllocationID.NotFound',
      "The allocation ID 'eipalloc-1' does not exist",
    ],
    [
      'options',
      () => new DescribeDhcpOptionsCommand({ DhcpOptionsIds: ['dopt-0000000000000000f'] }),
      'InvalidDhcpOptionID.NotFound',
      "The dhcpOption ID 'dopt-0000000000000000f' does not exist",
    ],
    [
      'endpoints',
      () => new DescribeVpcEndpointsCommand({ VpcEndpointIds: ['vpce-0000000000000000f'] }),
      'InvalidVpcEndpointId.NotFound',
      "The Vpc Endpoint Id 'vpce-0000000000000000f' does not exist",
    ],
    [
      'endpoints',
      () => new DescribeVpcEndpointsCommand({ VpcEndpointIds: ['vpce'] }),
      'InvalidVpcEndpointId.Malformed',
      'Invalid id: "vpce" (expecting "vpce-...")',
    ],
    [
      'key pairs',
      () => new DescribeKeyPairsCommand({ KeyNames: ['none'] }),
      'InvalidKeyPair.NotFound',
      "The key pair 'none' does not exist",
    ],
    [
      'instances',
      () => new DescribeInstancesCommand({ InstanceIds: ['i-0000000000000000f'] }),
      'InvalidInstanceID.NotFound',
      "The instance ID 'i-0000000000000000f' does not exist",
    ],
    [
      'instances',
      () => new DescribeInstancesCommand({ InstanceIds: ['i-foo'] }),
      'InvalidInstanceID.Malformed',
      'Invalid id: "i-foo" (expecting "i-...")',
    ],
    [
      'volumes',
      () => new DescribeVolumesCommand({ VolumeIds: ['vol-0000000000000000f'] }),
      'InvalidVolume.NotFound',
      "The volume 'vol-0000000000000000f' does not exist.",
    ],
    [
      'images',
      () => new DescribeImagesCommand({ ImageIds: ['ami-0000000000000000f'] }),
      'InvalidAMIID.NotFound',
      "The image id '[ami-0000000000000000f]' does not exist",
    ],
    [
      'interfaces',
      () => new DescribeNetworkInterfacesCommand({ NetworkInterfaceIds: ['eni-0000000000000000f'] }),
      'InvalidNetworkInterfaceID.NotFound',
      "The networkInterface ID 'eni-0000000000000000f' does not exist",
    ],
  ] as const)(
    'the id of a missing resource is refused in %s (case %#)',
    async (_, command, name, message) => {
      const client = network.ec2ClientOf(createAws())
      const failure = await failureOf(client.send(command() as DescribeVpcsCommand))
      expect(failure).toMatchObject({ name, message, $metadata: { httpStatusCode: 400 } })
    },
  )
})
