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
import { hasUnanswered, type Observation, type Read, type State } from '../../../engine/engine.ts'
import { allPages } from '../../account/client/all-pages.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { type IdentityReads, identityReads } from '../identity/identity-reads.ts'
import { idsInState, isZoneKey } from '../state.ts'
import { clusterTag, isDoneWith, isOwned, type Purpose, readTags, subnetKinds } from '../tags.ts'
import { type ById, listWithIds } from './list-with-ids.ts'
import { candidatesOf, inhabitedByOurs, lostVpc, type VpcCandidates } from './vpc/home-vpc.ts'

/** The shared reads of the network's resources. Each is sent once per step. */
export interface NetworkReads {
  readonly vpcs: Observation<AwsCloud, readonly Vpc[]>
  readonly identity: IdentityReads
  /** The ids of the shoot's VPCs: the user's VPC in the config, or ours, proved or likely. */
  readonly home: Observation<AwsCloud, ReadonlySet<string>>
  /** The ids of VPCs that are probably ours but missing in the state. */
  readonly lostHome: Observation<AwsCloud, ReadonlySet<string>>
  /** True if the cluster's tag means this shoot in its VPC. */
  readonly tagsProve: Observation<AwsCloud, boolean>
  readonly dhcpOptions: Observation<AwsCloud, readonly DhcpOptions[]>
  readonly internetGateways: Observation<AwsCloud, readonly InternetGateway[]>
  readonly egressOnlyGateways: Observation<AwsCloud, readonly EgressOnlyInternetGateway[]>
  readonly addresses: Observation<AwsCloud, readonly Address[]>
  /** The following reads return everything in these VPCs, including foreign resources. */
  readonly subnets: Observation<AwsCloud, readonly Subnet[]>
  readonly routeTables: Observation<AwsCloud, readonly RouteTable[]>
  readonly natGateways: Observation<AwsCloud, readonly NatGateway[]>
  /** A second list. One list may lack a gateway of the user, which no state names. */
  readonly natGatewaysAgain: Observation<AwsCloud, readonly NatGateway[]>
  readonly securityGroups: Observation<AwsCloud, readonly SecurityGroup[]>
  readonly gatewayEndpoints: Observation<AwsCloud, readonly VpcEndpoint[]>
}

interface ReadContext {
  readonly cloud: AwsCloud
  readonly state: State
  readonly signal: AbortSignal
  readonly polling?: boolean
  readonly read: Read<AwsCloud>
}

/** A kind of resource inside a VPC, and how EC2 lists it. */
interface ListedKind<T> extends ById<T> {
  /** The plural noun. */
  readonly name: string
  /** Returns true if the state key holds an id of the kind. */
  readonly isKey: (stateKey: string) => boolean
  /** Ids in the config. */
  readonly given?: readonly string[]
  readonly page: (
    context: ReadContext,
    filters: Filter[],
    token: { NextToken?: string },
  ) => Promise<{ readonly items: readonly T[] | undefined; readonly next: string | undefined }>
  /** If absent, a deletion reads the kind in every step. */
  readonly left?: (state: State) => Parameters<typeof isDoneWith>[2]
}

const isEndpointKey = (key: string): boolean => key.startsWith('VPCEndpoints/')

const dhcpOptionsId = ({ DhcpOptionsId }: DhcpOptions) => DhcpOptionsId

export const networkReads = (desired: DesiredInfrastructure, purpose: Purpose = {}): NetworkReads => {
  const identity = identityReads(desired, purpose)
  const tagged: Filter[] = [{ Name: `tag:${clusterTag(desired)}`, Values: ['owned'] }]

  /** Returns resources with our tag and those in the state, because a tag may have been removed. */
  const taggedOr = <T>(
    ids: ReadonlySet<string>,
    idFilter: string,
    list: (filters: Filter[]) => Promise<readonly T[]>,
    idOf: (item: T) => string | undefined,
  ): Promise<readonly T[]> => listWithIds(list, tagged, { ids, idFilter, idOf })

  const vpcs: NetworkReads['vpcs'] = {
    name: 'VPCs',
    observe: async ({ cloud, state, signal }) => {
      const idOf = ({ VpcId }: Vpc) => VpcId
      const list = (filters: Filter[]) =>
        allPages(idOf, async token => {
          const answer = await cloud.ec2.send(
            new DescribeVpcsCommand({ Filters: filters, ...(token && { NextToken: token }) }),
            { abortSignal: signal },
          )
          return { items: answer.Vpcs, next: answer.NextToken }
        })
      if (desired.vpc.kind === 'existing') return list([{ Name: 'vpc-id', Values: [desired.vpc.id] }])
      return taggedOr(
        idsInState(state, key => key === 'VPC'),
        'vpc-id',
        list,
        idOf,
      )
    },
  }

  /** The state proves it without a read. */
  const mayHaveVpc = async ({ state, read }: ReadContext): Promise<boolean> =>
    desired.vpc.kind === 'existing' || state.VPC !== undefined || (await read(vpcs)).length > 0

  /** Returns the VPC if it needs no proof. */
  const knownHome = ({ state, polling }: Pick<ReadContext, 'state' | 'polling'>): string | undefined =>
    desired.vpc.kind === 'existing' ? desired.vpc.id : polling ? state.VPC : undefined

  const candidates: Observation<AwsCloud, VpcCandidates> = {
    name: 'candidates for the VPC',
    observe: async ({ state, read }) => candidatesOf(desired, state, await read(vpcs)),
  }

  /**
   * Reads all resources of a kind in the VPCs that may be ours. Sends no request without a VPC. Reads those of the VPC
   * in the state at once, and again if that VPC turns out not to be ours. Asks by id for the resources that the state or
   * the config names and the list lacks.
   */
  const inCandidates = <T>({ name, idFilter, idOf, isKey, given = [], page, left }: ListedKind<T>) => ({
    name: `${name} that may belong to the shoot`,
    observe: async (context: ReadContext): Promise<readonly T[]> => {
      const { state, read } = context
      if (left !== undefined && isDoneWith(state, purpose, left(state))) return []
      const list = (filters: Filter[]) =>
        allPages(idOf, token => page(context, filters, token === undefined ? {} : { NextToken: token }))
      const named = new Set([...idsInState(state, isKey), ...given])
      const pagesOf = (vpcs: readonly string[]) =>
        listWithIds(list, [{ Name: 'vpc-id', Values: [...vpcs] }], { ids: named, idFilter, idOf })
      const known = knownHome(context)
      if (known !== undefined) return pagesOf([known])
      const [{ ids }, ofState] = await Promise.all([
        read(candidates),
        state.VPC === undefined ? [] : pagesOf([state.VPC]),
      ])
      if (ids.length === 0) return []
      return ids.length === 1 && ids[0] === state.VPC ? ofState : pagesOf(ids)
    },
  })

  const natGatewayKind: ListedKind<NatGateway> = {
    name: 'NAT gateways',
    idFilter: 'nat-gateway-id',
    idOf: ({ NatGatewayId }) => NatGatewayId,
    isKey: key => isZoneKey(key, 'NATGateway'),
    page: async ({ cloud, signal }, filters, token) => {
      const command = new DescribeNatGatewaysCommand({ Filter: filters, ...token })
      const { NatGateways, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
      return { items: NatGateways, next: NextToken }
    },
  }

  const all = {
    subnets: inCandidates<Subnet>({
      name: 'subnets',
      idFilter: 'subnet-id',
      idOf: ({ SubnetId }) => SubnetId,
      isKey: key => isZoneKey(key, ...Object.values(subnetKinds).map(({ stateKey }) => stateKey)),
      given:
        desired.zones.kind === 'own'
          ? desired.zones.zones.flatMap(zone => [zone.workers, zone.public ?? [], zone.internal ?? []].flat())
          : [],
      page: async ({ cloud, signal }, filters, token) => {
        const command = new DescribeSubnetsCommand({ Filters: filters, ...token })
        const { Subnets, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
        return { items: Subnets, next: NextToken }
      },
    }),
    routeTables: inCandidates<RouteTable>({
      name: 'route tables',
      idFilter: 'route-table-id',
      idOf: ({ RouteTableId }) => RouteTableId,
      isKey: key => key === 'MainRouteTable' || isZoneKey(key, 'ZoneRouteTable'),
      page: async ({ cloud, signal }, filters, token) => {
        const command = new DescribeRouteTablesCommand({ Filters: filters, ...token })
        const { RouteTables, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
        return { items: RouteTables, next: NextToken }
      },
    }),
    natGateways: inCandidates(natGatewayKind),
    natGatewaysAgain: inCandidates(natGatewayKind),
    securityGroups: inCandidates<SecurityGroup>({
      name: 'security groups',
      idFilter: 'group-id',
      idOf: ({ GroupId }) => GroupId,
      isKey: key => key === 'NodesSecurityGroup' || key === 'DefaultSecurityGroup',
      given: desired.nodesSecurityGroup === undefined ? [] : [desired.nodesSecurityGroup],
      page: async ({ cloud, signal }, filters, token) => {
        const command = new DescribeSecurityGroupsCommand({ Filters: filters, ...token })
        const { SecurityGroups, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
        return { items: SecurityGroups, next: NextToken }
      },
      left: () => ({
        what: 'leftover security group',
        keys: ['NodesSecurityGroup'],
        behind: ['network interface'],
      }),
    }),
    gatewayEndpoints: inCandidates<VpcEndpoint>({
      name: 'gateway endpoints',
      idFilter: 'vpc-endpoint-id',
      idOf: ({ VpcEndpointId }) => VpcEndpointId,
      isKey: isEndpointKey,
      page: async ({ cloud, signal }, filters, token) => {
        const gateways = [...filters, { Name: 'vpc-endpoint-type', Values: ['Gateway'] }]
        const command = new DescribeVpcEndpointsCommand({ Filters: gateways, ...token })
        const { VpcEndpoints, NextToken } = await cloud.ec2.send(command, { abortSignal: signal })
        return { items: VpcEndpoints, next: NextToken }
      },
      left: state => ({ what: 'gateway endpoint', keys: Object.keys(state).filter(isEndpointKey) }),
    }),
  }

  const lostHome: NetworkReads['lostHome'] = {
    name: 'the VPC that is missing in the state',
    observe: async context => {
      const { state, read } = context
      if (knownHome(context) !== undefined) return new Set()
      const { proved } = await read(candidates)
      if (proved.length > 0) return new Set()
      const lost = lostVpc(desired, state, await read(vpcs))
      return new Set(lost !== undefined && (await read(identity.nameIsOurs)) ? [lost] : [])
    },
  }

  const tagsProve: NetworkReads['tagsProve'] = {
    name: 'ownership by the tag of the cluster',
    observe: async ({ state, polling, read }) => {
      // A VPC that was created for the cluster contains only the cluster's resources.
      if (desired.vpc.kind === 'managed') return true
      if (polling) return false
      if (await read(identity.nameIsOurs)) return true
      const recorded = idsInState(state, key =>
        isZoneKey(key, ...Object.values(subnetKinds).map(({ stateKey }) => stateKey)),
      )
      // The mark is removed only after all resources were recorded.
      return (await read(all.subnets)).some(
        ({ SubnetId = '', Tags }) =>
          recorded.has(SubnetId) && isOwned(desired, Tags) && readTags(Tags)[markTag] === undefined,
      )
    },
  }

  const home: NetworkReads['home'] = {
    name: 'home',
    observe: async context => {
      const { state, read } = context
      const known = knownHome(context)
      if (known !== undefined) return new Set([known])
      const { ids, proved } = await read(candidates)
      if (proved.length > 0 || ids.length === 0) return new Set(proved)
      const lost = await read(lostHome)
      if (lost.size > 0) return lost
      const [subnets, tables, gateways, groups] = await Promise.all([
        read(all.subnets),
        read(all.routeTables),
        read(all.natGateways),
        read(all.securityGroups),
      ])
      return new Set(
        inhabitedByOurs(desired, state, await read(vpcs), [
          ...subnets.map(({ SubnetId: id, VpcId: vpc }) => ({ id, vpc })),
          ...tables.map(({ RouteTableId: id, VpcId: vpc }) => ({ id, vpc })),
          ...gateways.map(({ NatGatewayId: id, VpcId: vpc }) => ({ id, vpc })),
          ...groups.map(({ GroupId: id, VpcId: vpc }) => ({ id, vpc })),
        ]),
      )
    },
  }

  const inHome = <T extends { readonly VpcId?: string | undefined }>(
    name: string,
    observation: Observation<AwsCloud, readonly T[]>,
  ): Observation<AwsCloud, readonly T[]> => ({
    name,
    observe: async ({ read }) => {
      const [ids, things] = await Promise.all([read(home), read(observation)])
      return things.filter(({ VpcId = '' }) => ids.has(VpcId))
    },
  })

  return {
    vpcs,
    identity,
    home,
    lostHome,
    tagsProve,
    dhcpOptions: {
      name: 'DHCP options',
      observe: ({ cloud, state, signal }) =>
        taggedOr(
          idsInState(state, key => key === 'DHCPOptions'),
          'dhcp-options-id',
          filters =>
            allPages(dhcpOptionsId, async token => {
              const answer = await cloud.ec2.send(
                new DescribeDhcpOptionsCommand({ Filters: filters, ...(token && { NextToken: token }) }),
                { abortSignal: signal },
              )
              return { items: answer.DhcpOptions, next: answer.NextToken }
            }),
          dhcpOptionsId,
        ),
    },
    internetGateways: {
      name: 'internet gateways',
      observe: async context => {
        const { cloud, state, signal } = context
        const idOf = ({ InternetGatewayId }: InternetGateway) => InternetGatewayId
        const list = (filters: Filter[]) =>
          allPages(idOf, async token => {
            const answer = await cloud.ec2.send(
              new DescribeInternetGatewaysCommand({ Filters: filters, ...(token && { NextToken: token }) }),
              { abortSignal: signal },
            )
            return { items: answer.InternetGateways, next: answer.NextToken }
          })
        if (desired.vpc.kind === 'existing')
          return list([{ Name: 'attachment.vpc-id', Values: [desired.vpc.id] }])
        const ids = idsInState(state, key => key === 'InternetGateway')
        // A gateway is created only for a VPC. It outlives the VPC if its creation got no answer.
        if (ids.size === 0 && !hasUnanswered(state) && !(await mayHaveVpc(context))) return []
        return taggedOr(ids, 'internet-gateway-id', list, idOf)
      },
    },
    egressOnlyGateways: {
      name: 'egress-only internet gateways',
      observe: async context => {
        const { cloud, state, signal } = context
        const ids = idsInState(state, key => key === 'EgressOnlyInternetGateway')
        if (ids.size === 0 && !hasUnanswered(state) && !(await mayHaveVpc(context))) return []
        const idOf = ({ EgressOnlyInternetGatewayId }: EgressOnlyInternetGateway) =>
          EgressOnlyInternetGatewayId
        const list = (filters: Filter[]) =>
          allPages(idOf, async token => {
            const answer = await cloud.ec2.send(
              new DescribeEgressOnlyInternetGatewaysCommand({
                ...(filters.length > 0 && { Filters: filters }),
                ...(token && { NextToken: token }),
              }),
              { abortSignal: signal },
            )
            return { items: answer.EgressOnlyInternetGateways, next: answer.NextToken }
          })
        // The API can filter only by tags.
        if (desired.vpc.kind === 'existing') return list([])
        const ours = await list(tagged)
        const known = new Set(ours.map(idOf))
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
    subnets: inHome('subnets', all.subnets),
    routeTables: inHome('route tables', all.routeTables),
    natGateways: inHome('NAT gateways', all.natGateways),
    natGatewaysAgain: inHome('NAT gateways, again', all.natGatewaysAgain),
    securityGroups: inHome('security groups', all.securityGroups),
    gatewayEndpoints: inHome('gateway endpoints', all.gatewayEndpoints),
  }
}
