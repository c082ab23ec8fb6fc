import {
  type ClientName,
  type Clients,
  type Fields,
  type FurnishedAccount,
  send,
  serviceOf,
} from '../../testing/furnished-account.ts'
import { pagers } from '../pagers.ts'

/** Returns the items on each page of a list. */
export const pagesOf = async (
  { clients, ids }: { readonly clients: Clients; readonly ids: FurnishedAccount['ids'] },
  { service, operation, input = () => ({}) }: ReadList,
  filters: object = {},
): Promise<readonly (readonly Fields[])[]> => {
  const pager = pagers[`${serviceOf(service)}:${operation}`]
  if (pager === undefined) throw new Error(`${service}:${operation} has no pages`)
  const pages: (readonly Fields[])[] = []
  for (let token: unknown; ; ) {
    const position = token === undefined ? {} : { [pager.token]: token }
    const answer = await send(clients, service, operation, { ...input(ids), ...filters, ...position })
    pages.push(Object.keys(pager.lists).flatMap(list => (answer[list] ?? []) as readonly Fields[]))
    token = answer[pager.next]
    if (token === undefined || pages.length > 1000) return pages
  }
}

/** Returns the text that identifies an item. */
export const idOf = ({ service, operation }: ReadList, item: Fields | string): string => {
  const { lists = {} } = pagers[`${serviceOf(service)}:${operation}`] ?? {}
  const [members = []] = Object.values(lists)
  return typeof item === 'string' ? item : members.map(name => item[name]).join(' ')
}

export interface ReadList {
  readonly service: ClientName
  readonly operation: string
  readonly input?: (ids: FurnishedAccount['ids']) => object
}

/** A request for each paged list without a documented order. */
export const pagedLists: readonly ReadList[] = [
  ...[
    ['DescribeDhcpOptions'],
    ['DescribeEgressOnlyInternetGateways'],
    ['DescribeImages'],
    ['DescribeInstances'],
    ['DescribeInternetGateways'],
    ['DescribeNatGateways'],
    ['DescribeNetworkInterfaces'],
    ['DescribeRouteTables'],
    ['DescribeSecurityGroupRules'],
    ['DescribeSecurityGroups'],
    ['DescribeSubnets'],
    ['DescribeTags'],
    ['DescribeVolumes'],
    ['DescribeVpcEndpoints'],
    ['DescribeVpcs'],
  ].map(([operation = '']) => ({ service: 'ec2' as const, operation })),
  { service: 'ec2', operation: 'GetSubnetCidrReservations', input: ({ SubnetId }) => ({ SubnetId }) },
  { service: 'efs', operation: 'DescribeFileSystems' },
  { service: 'efs', operation: 'DescribeMountTargets', input: ({ FileSystemId }) => ({ FileSystemId }) },
  {
    service: 'efs',
    operation: 'ListTagsForResource',
    input: ({ FileSystemId }) => ({ ResourceId: FileSystemId }),
  },
  { service: 'elb', operation: 'DescribeLoadBalancers' },
  { service: 'elbv2', operation: 'DescribeLoadBalancers' },
  { service: 'elbv2', operation: 'DescribeTargetGroups' },
  { service: 'iam', operation: 'ListRoles' },
  { service: 'iam', operation: 'ListInstanceProfiles' },
  {
    service: 'iam',
    operation: 'ListInstanceProfilesForRole',
    input: ({ RoleName }) => ({ RoleName }),
  },
  { service: 'iam', operation: 'ListRolePolicies', input: ({ RoleName }) => ({ RoleName }) },
  { service: 'iam', operation: 'ListAttachedRolePolicies', input: ({ RoleName }) => ({ RoleName }) },
  { service: 'route53', operation: 'ListHostedZones' },
]
