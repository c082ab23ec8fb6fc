/**
 * The paging of an action: its members for pages, and the lists of its items with the members that identify an item.
 */
export interface Pager {
  /** By list. No member: the item is a text. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** The input for the position of a page. */
  readonly token: string
  /** The input for the size of a page. */
  readonly size: string
  /** The output for the position of the next page. */
  readonly next: string
  /** True if the output has `IsTruncated`. */
  readonly truncates: boolean
  /** True if the output repeats the position of the page. */
  readonly echoes: boolean
  /** Inputs that name one item. Those that name several are recognized by their plural. */
  readonly names: readonly string[]
  /** The filter for the id of an item. */
  readonly idFilter: string
}

/** The paging of an action with a documented order. Its positions are items. */
export interface OrderedPager {
  readonly size: string
  /** The size of a page without a size in the request. */
  readonly usual: number
  /** The outputs for the position of the next page. */
  readonly next: readonly string[]
}

type Style = Omit<Pager, 'lists' | 'idFilter'>

const style = (token: string, size: string, next: string, more: Partial<Style> = {}): Style => ({
  ...{ token, size, next, truncates: false, echoes: false, names: [] },
  ...more,
})

const nextToken = style('NextToken', 'MaxResults', 'NextToken')
const iam = style('Marker', 'MaxItems', 'Marker', { truncates: true })
const efs = style('Marker', 'MaxItems', 'NextMarker', {
  echoes: true,
  names: ['CreationToken', 'MountTargetId'],
})
const elb = style('Marker', 'PageSize', 'NextMarker')
const zones = style('Marker', 'MaxItems', 'NextMarker', { truncates: true, echoes: true })

/** `SubnetId` becomes `subnet-id`. */
const filterOf = (member = ''): string => member.replace(/(?!^)[A-Z]/g, letter => `-${letter}`).toLowerCase()

const pages = (of: Style, list: string, ...ids: readonly string[]): Pager => ({
  ...of,
  lists: { [list]: ids },
  idFilter: filterOf(ids[0]),
})

/** Actions whose pages have any order. */
export const pagers: Readonly<Record<string, Pager>> = {
  'ec2:DescribeDhcpOptions': pages(nextToken, 'DhcpOptions', 'DhcpOptionsId'),
  'ec2:DescribeEgressOnlyInternetGateways': pages(
    nextToken,
    'EgressOnlyInternetGateways',
    'EgressOnlyInternetGatewayId',
  ),
  'ec2:DescribeImages': pages(nextToken, 'Images', 'ImageId'),
  'ec2:DescribeInstances': {
    ...pages(nextToken, 'Reservations', 'ReservationId'),
    idFilter: 'instance-id',
  },
  'ec2:DescribeInternetGateways': pages(nextToken, 'InternetGateways', 'InternetGatewayId'),
  'ec2:DescribeNatGateways': pages(nextToken, 'NatGateways', 'NatGatewayId'),
  'ec2:DescribeNetworkInterfaces': pages(nextToken, 'NetworkInterfaces', 'NetworkInterfaceId'),
  'ec2:DescribeRouteTables': pages(nextToken, 'RouteTables', 'RouteTableId'),
  'ec2:DescribeSecurityGroupRules': pages(nextToken, 'SecurityGroupRules', 'SecurityGroupRuleId'),
  'ec2:DescribeSecurityGroups': pages(nextToken, 'SecurityGroups', 'GroupId'),
  'ec2:DescribeSubnets': pages(nextToken, 'Subnets', 'SubnetId'),
  'ec2:DescribeTags': pages(nextToken, 'Tags', 'ResourceId', 'Key'),
  'ec2:DescribeVolumes': pages(nextToken, 'Volumes', 'VolumeId'),
  'ec2:DescribeVpcEndpoints': pages(nextToken, 'VpcEndpoints', 'VpcEndpointId'),
  'ec2:DescribeVpcs': pages(nextToken, 'Vpcs', 'VpcId'),
  'ec2:GetSubnetCidrReservations': {
    ...nextToken,
    lists: {
      SubnetIpv4CidrReservations: ['SubnetCidrReservationId'],
      SubnetIpv6CidrReservations: ['SubnetCidrReservationId'],
    },
    idFilter: '',
  },
  'elasticfilesystem:DescribeFileSystems': {
    ...pages(efs, 'FileSystems', 'FileSystemId'),
    names: ['CreationToken', 'FileSystemId'],
  },
  'elasticfilesystem:DescribeMountTargets': pages(efs, 'MountTargets', 'MountTargetId'),
  'elasticfilesystem:ListTagsForResource': pages(nextToken, 'Tags', 'Key'),
  'elb:DescribeLoadBalancers': pages(elb, 'LoadBalancerDescriptions', 'LoadBalancerName'),
  'elbv2:DescribeLoadBalancers': pages(elb, 'LoadBalancers', 'LoadBalancerArn'),
  'elbv2:DescribeTargetGroups': pages(elb, 'TargetGroups', 'TargetGroupArn'),
  'iam:ListAttachedRolePolicies': pages(iam, 'AttachedPolicies', 'PolicyArn'),
  'iam:ListInstanceProfiles': pages(iam, 'InstanceProfiles', 'InstanceProfileName'),
  'iam:ListInstanceProfilesForRole': pages(iam, 'InstanceProfiles', 'InstanceProfileName'),
  'iam:ListRolePolicies': pages(iam, 'PolicyNames'),
  'iam:ListRoles': pages(iam, 'Roles', 'RoleName'),
  'route53:ListHostedZones': pages(zones, 'HostedZones', 'Id'),
}

/** Actions whose pages have a documented order. */
export const orderedPagers: Readonly<Record<string, OrderedPager>> = {
  'route53:ListResourceRecordSets': {
    size: 'MaxItems',
    usual: 300,
    next: ['NextRecordName', 'NextRecordType', 'NextRecordIdentifier'],
  },
  's3:ListObjectVersions': { size: 'MaxKeys', usual: 1000, next: ['NextKeyMarker', 'NextVersionIdMarker'] },
  's3:ListObjectsV2': { size: 'MaxKeys', usual: 1000, next: ['NextContinuationToken'] },
}
