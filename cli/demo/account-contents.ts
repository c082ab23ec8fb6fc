import {
  DescribeAddressesCommand,
  DescribeInternetGatewaysCommand,
  DescribeKeyPairsCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import { IAMClient, ListInstanceProfilesCommand, ListRolesCommand } from '@aws-sdk/client-iam'
import { sandboxCredentials } from '../sandbox/credentials.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'

/** What the account has in a region, by what it is: ids. What AWS lists on although it is deleted is left out. */
export type AccountContents = Readonly<Record<string, readonly string[]>>

export const accountContents = async ({ aws }: Pick<Sandbox, 'aws'>): Promise<AccountContents> => {
  const settings = {
    region: 'eu-west-1',
    requestHandler: aws.requestHandler,
    credentials: sandboxCredentials,
  }
  const ec2 = new EC2Client(settings)
  const iam = new IAMClient(settings)
  const [vpcs, subnets, gateways, nats, addresses, tables, groups, keys, roles, profiles] = await Promise.all(
    [
      ec2.send(new DescribeVpcsCommand({})),
      ec2.send(new DescribeSubnetsCommand({})),
      ec2.send(new DescribeInternetGatewaysCommand({})),
      ec2.send(new DescribeNatGatewaysCommand({})),
      ec2.send(new DescribeAddressesCommand({})),
      ec2.send(new DescribeRouteTablesCommand({})),
      ec2.send(new DescribeSecurityGroupsCommand({})),
      ec2.send(new DescribeKeyPairsCommand({})),
      iam.send(new ListRolesCommand({})),
      iam.send(new ListInstanceProfilesCommand({})),
    ] as const,
  )
  const ids = (list: readonly (string | undefined)[] = []) => list.filter(id => id !== undefined).sort()
  return {
    VPC: ids(vpcs.Vpcs?.map(({ VpcId }) => VpcId)),
    subnet: ids(subnets.Subnets?.map(({ SubnetId }) => SubnetId)),
    'internet gateway': ids(gateways.InternetGateways?.map(({ InternetGatewayId }) => InternetGatewayId)),
    'NAT gateway': ids(
      nats.NatGateways?.filter(({ State }) => State !== 'deleted').map(({ NatGatewayId }) => NatGatewayId),
    ),
    'elastic address': ids(addresses.Addresses?.map(({ AllocationId }) => AllocationId)),
    'route table': ids(tables.RouteTables?.map(({ RouteTableId }) => RouteTableId)),
    'security group': ids(groups.SecurityGroups?.map(({ GroupId }) => GroupId)),
    'key pair': ids(keys.KeyPairs?.map(({ KeyPairId }) => KeyPairId)),
    role: ids(roles.Roles?.map(({ RoleName }) => RoleName)),
    'instance profile': ids(profiles.InstanceProfiles?.map(profile => profile.InstanceProfileName)),
  }
}

/** What there is now and was not before: `1 VPC, 3 subnets`; '' when that is nothing. */
export const added = (before: AccountContents, now: AccountContents): string =>
  Object.entries(now)
    .map(([what, ids]) => [what, ids.filter(id => before[what]?.includes(id) !== true).length] as const)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}${count === 1 ? '' : 's'}`)
    .join(', ')
