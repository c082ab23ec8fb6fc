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
import type { AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { operatorCredentials } from './simulator/aws.ts'

/** A resource in an account: `subnet`, its id, and its `Name` tag. */
interface Item {
  readonly what: string
  readonly id: string
  readonly name: string | undefined
}

export type AccountContents = readonly Item[]

/** The settings of a client that reads an account as an operator. */
export const operator = (requestHandler: AwsRequestHandler) => ({
  region: 'eu-west-1',
  credentials: operatorCredentials,
  requestHandler,
})

/** Returns everything in a region of the account, without deleted resources that AWS still lists. */
export const accountContents = async (requestHandler: AwsRequestHandler): Promise<AccountContents> => {
  const settings = operator(requestHandler)
  const ec2 = new EC2Client(settings)
  const iam = new IAMClient(settings)
  const efs = new EFSClient(settings)
  const item = (what: string, id: string | undefined, tags: readonly Tag[] | undefined): Item => ({
    what,
    id: id ?? '',
    name: tags?.find(({ Key }) => Key === 'Name')?.Value,
  })

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
    ...(vpcs.Vpcs ?? []).map(({ VpcId, Tags }) => item('VPC', VpcId, Tags)),
    ...(dhcp.DhcpOptions ?? []).map(({ DhcpOptionsId, Tags }) => item('DHCP options', DhcpOptionsId, Tags)),
    ...(subnets.Subnets ?? []).map(({ SubnetId, Tags }) => item('subnet', SubnetId, Tags)),
    ...(gateways.InternetGateways ?? []).map(gateway =>
      item('internet gateway', gateway.InternetGatewayId, gateway.Tags),
    ),
    ...(egress.EgressOnlyInternetGateways ?? []).map(gateway =>
      item('egress-only gateway', gateway.EgressOnlyInternetGatewayId, gateway.Tags),
    ),
    ...(nats.NatGateways ?? [])
      .filter(({ State }) => State !== 'deleted')
      .map(({ NatGatewayId, Tags }) => item('NAT gateway', NatGatewayId, Tags)),
    ...(addresses.Addresses ?? []).map(({ AllocationId, Tags }) =>
      item('elastic address', AllocationId, Tags),
    ),
    ...(tables.RouteTables ?? []).map(({ RouteTableId, Tags }) => item('route table', RouteTableId, Tags)),
    ...(groups.SecurityGroups ?? []).map(({ GroupId, Tags }) => item('security group', GroupId, Tags)),
    ...(endpoints.VpcEndpoints ?? [])
      .filter(({ State }) => String(State).toLowerCase() !== 'deleted')
      .map(({ VpcEndpointId, Tags }) => item('endpoint', VpcEndpointId, Tags)),
    ...(keys.KeyPairs ?? []).map(({ KeyName, Tags }) => item('key pair', KeyName, Tags)),
    ...(roles.Roles ?? []).map(({ RoleName }) => item('role', RoleName, undefined)),
    ...(profiles.InstanceProfiles ?? []).map(profile =>
      item('instance profile', profile.InstanceProfileName, undefined),
    ),
    ...(fileSystems.FileSystems ?? []).map(({ FileSystemId, Name }) =>
      item('file system', FileSystemId, Name === undefined ? [] : [{ Key: 'Name', Value: Name }]),
    ),
  ]
}

/** Resources that are created and deleted with others, and are not reported. */
const unlisted: ReadonlySet<string> = new Set(['DHCP options'])

/** Returns the resources that are new since `before`: `1 VPC, 3 subnets`; '' if none. */
export const added = (before: AccountContents, now: AccountContents): string => {
  const ids = new Set(before.map(({ what, id }) => `${what} ${id}`))
  const more = now.filter(({ what, id }) => !unlisted.has(what) && !ids.has(`${what} ${id}`))
  return [...Map.groupBy(more, ({ what }) => what)]
    .map(([what, { length }]) => `${length} ${what}${length === 1 ? '' : 's'}`)
    .join(', ')
}
