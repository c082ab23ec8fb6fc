import {
  type Address,
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeEgressOnlyInternetGatewaysCommand,
  DescribeInternetGatewaysCommand,
  DescribeNatGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  type DhcpOptions,
  type EgressOnlyInternetGateway,
  type Filter,
  type InternetGateway,
  type NatGateway,
  type RouteTable,
  type SecurityGroup,
  type Subnet,
  type Vpc,
  type VpcEndpoint,
} from '@aws-sdk/client-ec2'
import type { Observation, Read, State } from '../../../engine/engine.ts'
import { allPages } from '../all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import { isDoneWith, type Purpose } from '../purpose.ts'
import { idsInState, isZoneKey } from '../state-keys.ts'
import { clusterTag } from '../tags.ts'
import type { InfrastructureWish } from '../wish.ts'

/** The reads that the resources of a network share; each is made once per look. */
export interface NetworkReads {
  readonly vpcs: Observation<AwsCloud, readonly Vpc[]>
  readonly dhcpOptions: Observation<AwsCloud, readonly DhcpOptions[]>
  readonly internetGateways: Observation<AwsCloud, readonly InternetGateway[]>
  readonly egressOnlyGateways: Observation<AwsCloud, readonly EgressOnlyInternetGateway[]>
  readonly addresses: Observation<AwsCloud, readonly Address[]>
  /** What follows is everything in the VPC, also what is not ours; empty without a VPC. */
  readonly subnets: Observation<AwsCloud, readonly Subnet[]>
  readonly routeTables: Observation<AwsCloud, readonly RouteTable[]>
  readonly natGateways: Observation<AwsCloud, readonly NatGateway[]>
  readonly securityGroups: Observation<AwsCloud, readonly SecurityGroup[]>
  readonly gatewayEndpoints: Observation<AwsCloud, readonly VpcEndpoint[]>
}

interface Context {
  readonly cloud: AwsCloud
  readonly state: State
  readonly signal: AbortSignal
  readonly read: Read<AwsCloud>
}

/** The reads of one graph. */
export const networkReads = (wish: InfrastructureWish, purpose: Purpose = {}): NetworkReads => {
  const tagged: Filter[] = [{ Name: `tag:${clusterTag(wish)}`, Values: ['owned'] }]

  /** What carries our tag, and what only stands in the state: somebody may have taken its tag away. */
  const taggedOr = async <T>(
    ids: ReadonlySet<string>,
    idFilter: string,
    list: (filters: Filter[]) => Promise<readonly T[]>,
    idOf: (item: T) => string | undefined,
  ): Promise<readonly T[]> => {
    const ours = await list(tagged)
    const known = new Set(ours.map(idOf))
    const missing = [...ids].filter(id => !known.has(id))
    return missing.length === 0 ? ours : [...ours, ...(await list([{ Name: idFilter, Values: missing }]))]
  }

  const vpcs: NetworkReads['vpcs'] = {
    name: 'VPCs',
    observe: async ({ cloud, state, signal }) => {
      const list = (filters: Filter[]) =>
        allPages(async token => {
          const answer = await cloud.ec2.send(
            new DescribeVpcsCommand({ Filters: filters, ...(token && { NextToken: token }) }),
            { abortSignal: signal },
          )
          return { items: answer.Vpcs, next: answer.NextToken }
        })
      if (wish.vpc.kind === 'existing') return list([{ Name: 'vpc-id', Values: [wish.vpc.id] }])
      return taggedOr(
        idsInState(state, key => key === 'VPC'),
        'vpc-id',
        list,
        ({ VpcId }) => VpcId,
      )
    },
  }

  /** The state says it without a read; a VPC that is found by its tags is in the state from then on. */
  const vpcIds = async ({ state, read }: Context): Promise<string[]> => {
    if (wish.vpc.kind === 'existing') return [wish.vpc.id]
    if (state.VPC !== undefined) return [state.VPC]
    return (await read(vpcs)).flatMap(({ VpcId }) => VpcId ?? [])
  }

  /** Everything of a kind in the VPC; no request without a VPC. */
  const inVpc = <T>(
    name: string,
    page: (
      context: Context,
      vpc: Filter[],
      token: { NextToken?: string },
    ) => Promise<{ readonly items: readonly T[] | undefined; readonly next: string | undefined }>,
    left?: (state: State) => { readonly what: string; readonly keys: readonly string[] },
  ): Observation<AwsCloud, readonly T[]> => ({
    name,
    observe: async context => {
      const ids = await vpcIds(context)
      if (ids.length === 0 || (left !== undefined && isDoneWith(context.state, purpose, left(context.state))))
        return []
      const vpc = [{ Name: 'vpc-id', Values: ids }]
      return allPages(token => page(context, vpc, token === undefined ? {} : { NextToken: token }))
    },
  })

  return {
    vpcs,
    dhcpOptions: {
      name: 'DHCP options',
      observe: ({ cloud, state, signal }) =>
        taggedOr(
          idsInState(state, key => key === 'DHCPOptions'),
          'dhcp-options-id',
          filters =>
            allPages(async token => {
              const answer = await cloud.ec2.send(
                new DescribeDhcpOptionsCommand({ Filters: filters, ...(token && { NextToken: token }) }),
                { abortSignal: signal },
              )
              return { items: answer.DhcpOptions, next: answer.NextToken }
            }),
          ({ DhcpOptionsId }) => DhcpOptionsId,
        ),
    },
    internetGateways: {
      name: 'internet gateways',
      observe: async context => {
        const { cloud, state, signal } = context
        const list = (filters: Filter[]) =>
          allPages(async token => {
            const answer = await cloud.ec2.send(
              new DescribeInternetGatewaysCommand({ Filters: filters, ...(token && { NextToken: token }) }),
              { abortSignal: signal },
            )
            return { items: answer.InternetGateways, next: answer.NextToken }
          })
        const ids = idsInState(state, key => key === 'InternetGateway')
        const vpc = await vpcIds(context)
        if (wish.vpc.kind === 'existing') return list([{ Name: 'attachment.vpc-id', Values: vpc }])
        // One is only made for a VPC, and goes before it.
        if (ids.size === 0 && vpc.length === 0) return []
        return taggedOr(ids, 'internet-gateway-id', list, ({ InternetGatewayId }) => InternetGatewayId)
      },
    },
    egressOnlyGateways: {
      name: 'egress-only internet gateways',
      observe: async context => {
        const { cloud, state, signal } = context
        const vpc = await vpcIds(context)
        const ids = idsInState(state, key => key === 'EgressOnlyInternetGateway')
        if (vpc.length === 0 && ids.size === 0) return []
        const list = (filters: Filter[]) =>
          allPages(async token => {
            const answer = await cloud.ec2.send(
              new DescribeEgressOnlyInternetGatewaysCommand({
                ...(filters.length > 0 && { Filters: filters }),
                ...(token && { NextToken: token }),
              }),
              { abortSignal: signal },
            )
            return { items: answer.EgressOnlyInternetGateways, next: answer.NextToken }
          })
        // The API has no filters but tags.
        if (wish.vpc.kind === 'existing') return list([])
        const ours = await list(tagged)
        const known = new Set(ours.map(({ EgressOnlyInternetGatewayId: id }) => id))
        return [...ids].every(id => known.has(id)) ? ours : list([])
      },
    },
    addresses: {
      name: 'elastic addresses',
      observe: ({ cloud, state, signal }) =>
        taggedOr(
          idsInState(state, key => isZoneKey(key, 'NATGatewayElasticIP')),
          'allocation-id',
          async filters => {
            const command = new DescribeAddressesCommand({ Filters: filters })
            return (await cloud.ec2.send(command, { abortSignal: signal })).Addresses ?? []
          },
          ({ AllocationId }) => AllocationId,
        ),
    },
    subnets: inVpc('subnets', async ({ cloud, signal }, vpc, token) => {
      const command = new DescribeSubnetsCommand({ Filters: vpc, ...token })
      const { Subnets, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
      return { items: Subnets, next: NextToken }
    }),
    routeTables: inVpc('route tables', async ({ cloud, signal }, vpc, token) => {
      const command = new DescribeRouteTablesCommand({ Filters: vpc, ...token })
      const { RouteTables, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
      return { items: RouteTables, next: NextToken }
    }),
    natGateways: inVpc('NAT gateways', async ({ cloud, signal }, vpc, token) => {
      const command = new DescribeNatGatewaysCommand({ Filter: vpc, ...token })
      const { NatGateways, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
      return { items: NatGateways, next: NextToken }
    }),
    securityGroups: inVpc(
      'security groups',
      async ({ cloud, signal }, vpc, token) => {
        const command = new DescribeSecurityGroupsCommand({ Filters: vpc, ...token })
        const { SecurityGroups, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
        return { items: SecurityGroups, next: NextToken }
      },
      () => ({ what: 'leftover security group', keys: ['NodesSecurityGroup'] }),
    ),
    gatewayEndpoints: inVpc(
      'gateway endpoints',
      async ({ cloud, signal }, vpc, token) => {
        const gateways = [...vpc, { Name: 'vpc-endpoint-type', Values: ['Gateway'] }]
        const command = new DescribeVpcEndpointsCommand({ Filters: gateways, ...token })
        const { VpcEndpoints, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
        return { items: VpcEndpoints, next: NextToken }
      },
      state => ({
        what: 'gateway endpoint',
        keys: Object.keys(state).filter(key => key.startsWith('VPCEndpoints/')),
      }),
    ),
  }
}
