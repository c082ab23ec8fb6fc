import {
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeEgressOnlyInternetGatewaysCommand,
  DescribeInternetGatewaysCommand,
  DescribeKeyPairsCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  EC2Client,
  type Tag,
} from '@aws-sdk/client-ec2'
import { DescribeFileSystemsCommand, EFSClient } from '@aws-sdk/client-efs'
import { IAMClient, ListInstanceProfilesCommand, ListRolesCommand } from '@aws-sdk/client-iam'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/aws.ts'

export const operator = (requestHandler: AwsRequestHandler) => ({
  region: 'eu-west-1',
  credentials: { accessKeyId: 'AKIAOPERATOR', secretAccessKey: 'operator' },
  requestHandler,
})

/** Everything in the account, a line each, sorted: `subnet subnet-1 shoot--foo--bar-nodes-z0`. */
export const accountContents = async (requestHandler: AwsRequestHandler): Promise<readonly string[]> => {
  const settings = operator(requestHandler)
  const ec2 = new EC2Client(settings)
  const iam = new IAMClient(settings)
  const efs = new EFSClient(settings)
  const line = (what: string, id: string | undefined, tags: readonly Tag[] | undefined) =>
    [what, id, tags?.find(({ Key }) => Key === 'Name')?.Value].filter(part => part !== undefined).join(' ')

  const [vpcs, dhcp, subnets, tables, gateways, egress, nats, addresses, groups, endpoints, keys] =
    await Promise.all([
      ec2.send(new DescribeVpcsCommand({})),
      ec2.send(new DescribeDhcpOptionsCommand({})),
      ec2.send(new DescribeSubnetsCommand({})),
      ec2.send(new DescribeRouteTablesCommand({})),
      ec2.send(new DescribeInternetGatewaysCommand({})),
      ec2.send(new DescribeEgressOnlyInternetGatewaysCommand({})),
      ec2.send(new DescribeNatGatewaysCommand({})),
      ec2.send(new DescribeAddressesCommand({})),
      ec2.send(new DescribeSecurityGroupsCommand({})),
      ec2.send(new DescribeVpcEndpointsCommand({})),
      ec2.send(new DescribeKeyPairsCommand({})),
    ])
  const [roles, profiles, fileSystems] = await Promise.all([
    iam.send(new ListRolesCommand({})),
    iam.send(new ListInstanceProfilesCommand({})),
    efs.send(new DescribeFileSystemsCommand({})),
  ])
  return [
    ...(vpcs.Vpcs ?? []).map(({ VpcId, Tags }) => line('VPC', VpcId, Tags)),
    ...(dhcp.DhcpOptions ?? []).map(({ DhcpOptionsId, Tags }) => line('DHCP options', DhcpOptionsId, Tags)),
    ...(subnets.Subnets ?? []).map(({ SubnetId, Tags }) => line('subnet', SubnetId, Tags)),
    ...(tables.RouteTables ?? []).map(({ RouteTableId, Tags }) => line('route table', RouteTableId, Tags)),
    ...(gateways.InternetGateways ?? []).map(gateway =>
      line('internet gateway', gateway.InternetGatewayId, gateway.Tags),
    ),
    ...(egress.EgressOnlyInternetGateways ?? []).map(gateway =>
      line('egress-only gateway', gateway.EgressOnlyInternetGatewayId, gateway.Tags),
    ),
    ...(nats.NatGateways ?? [])
      .filter(({ State }) => State !== 'deleted')
      .map(({ NatGatewayId, Tags }) => line('NAT gateway', NatGatewayId, Tags)),
    ...(addresses.Addresses ?? []).map(({ AllocationId, Tags }) => line('address', AllocationId, Tags)),
    ...(groups.SecurityGroups ?? []).map(({ GroupId, Tags }) => line('security group', GroupId, Tags)),
    ...(endpoints.VpcEndpoints ?? [])
      .filter(({ State }) => String(State).toLowerCase() !== 'deleted')
      .map(({ VpcEndpointId, Tags }) => line('endpoint', VpcEndpointId, Tags)),
    ...(keys.KeyPairs ?? []).map(({ KeyName, Tags }) => line('key pair', KeyName, Tags)),
    ...(roles.Roles ?? []).map(({ RoleName }) => line('role', RoleName, undefined)),
    ...(profiles.InstanceProfiles ?? []).map(profile =>
      line('profile', profile.InstanceProfileName, undefined),
    ),
    ...(fileSystems.FileSystems ?? []).map(({ FileSystemId, Name }) =>
      line('file system', FileSystemId, Name === undefined ? [] : [{ Key: 'Name', Value: Name }]),
    ),
  ].sort()
}

/** The lines without ids: what there is, whichever it is. */
export const withoutIds = (contents: readonly string[]): readonly string[] =>
  contents.map(line => line.replace(/ (?:[a-z]+-[0-9a-f]{8,})/, '')).sort()
