import {
  type Address,
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeEgressOnlyInternetGatewaysCommand,
  DescribeInternetGatewaysCommand,
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
import { hasUnanswered, type Observation } from '../../../engine/engine.ts'
import { type Ec2Page, ec2Pages } from '../../account/client/all-pages.ts'
import { markTag } from '../../account/tags/mark-tag.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { type IdentityReads, identityReads } from '../identity/identity-reads.ts'
import { idsInState, isZoneKey } from '../state.ts'
import { clusterTag, isDoneWith, isOwned, type Purpose, readTags, subnetKinds } from '../tags.ts'
import { type ListedKind, listedKinds, listWithIds, type ReadContext } from './listed-kinds.ts'
import { candidatesOf, inhabitedByOurs, lostVpc, type VpcCandidates } from './vpc/home-vpc.ts'

/** The shared reads of the network's resources. Each is sent once per step. */
export interface NetworkReads extends TaggedReads {
  readonly vpcs: Observation<AwsCloud, readonly Vpc[]>
  readonly identity: IdentityReads
  /** The ids of the shoot's VPCs: the user's VPC in the config, or ours, proved or likely. */
  readonly home: Observation<AwsCloud, ReadonlySet<string>>
  /** The ids of VPCs that are probably ours but missing in the state. */
  readonly lostHome: Observation<AwsCloud, ReadonlySet<string>>
  /** True if the cluster's tag means this shoot in its VPC. */
  readonly tagsProve: Observation<AwsCloud, boolean>
  /** The following reads return everything in these VPCs, including foreign resources. */
  readonly subnets: Observation<AwsCloud, readonly Subnet[]>
  readonly routeTables: Observation<AwsCloud, readonly RouteTable[]>
  readonly natGateways: Observation<AwsCloud, readonly NatGateway[]>
  /** A second list. One list may lack a gateway of the user, which no state names. */
  readonly natGatewaysAgain: Observation<AwsCloud, readonly NatGateway[]>
  readonly securityGroups: Observation<AwsCloud, readonly SecurityGroup[]>
  readonly gatewayEndpoints: Observation<AwsCloud, readonly VpcEndpoint[]>
}

export const networkReads = (desired: DesiredInfrastructure, purpose: Purpose = {}): NetworkReads => {
  const identity = identityReads(desired, purpose)
  const vpcs: NetworkReads['vpcs'] = {
    name: 'VPCs',
    observe: async ({ cloud, state, signal }) => {
      const list = (Filters: Filter[]) =>
        ec2Pages('Vpcs', 'VpcId', (page: Ec2Page) =>
          cloud.ec2.send(new DescribeVpcsCommand({ Filters, ...page }), { abortSignal: signal }),
        )
      if (desired.vpc.kind === 'existing') return list([{ Name: 'vpc-id', Values: [desired.vpc.id] }])
      return taggedOr(
        desired,
        idsInState(state, key => key === 'VPC'),
        'vpc-id',
        list,
        ({ VpcId }) => VpcId,
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
   * in the state at once, and again if that VPC turns out not to be ours. Asks by id for the resources that the state
   * or the config names and the list lacks.
   */
  const inCandidates = <T>({ name, idFilter, idOf, isKey, given = [], list, left }: ListedKind<T>) => ({
    name: `${name} that may belong to the shoot`,
    observe: async (context: ReadContext): Promise<readonly T[]> => {
      const { state, read } = context
      if (left !== undefined && isDoneWith(state, purpose, left(state))) return []
      const named = new Set([...idsInState(state, isKey), ...given])
      const pagesOf = (vpcs: readonly string[]) =>
        listWithIds(filters => list(context, filters), [{ Name: 'vpc-id', Values: [...vpcs] }], {
          ids: named,
          idFilter,
          idOf,
        })
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

  const kinds = listedKinds(desired)
  const all = {
    subnets: inCandidates(kinds.subnets),
    routeTables: inCandidates(kinds.routeTables),
    natGateways: inCandidates(kinds.natGateways),
    natGatewaysAgain: inCandidates(kinds.natGateways),
    securityGroups: inCandidates(kinds.securityGroups),
    gatewayEndpoints: inCandidates(kinds.gatewayEndpoints),
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
    ...taggedReads(desired, mayHaveVpc),
    subnets: inHome('subnets', all.subnets),
    routeTables: inHome('route tables', all.routeTables),
    natGateways: inHome('NAT gateways', all.natGateways),
    natGatewaysAgain: inHome('NAT gateways, again', all.natGatewaysAgain),
    securityGroups: inHome('security groups', all.securityGroups),
    gatewayEndpoints: inHome('gateway endpoints', all.gatewayEndpoints),
  }
}

/** Lists everything with the tag of the cluster. */
const tagFilters = (desired: DesiredInfrastructure): Filter[] => [
  { Name: `tag:${clusterTag(desired)}`, Values: ['owned'] },
]

/** Returns resources with our tag and those in the state, because a tag may have been removed. */
const taggedOr = <T>(
  desired: DesiredInfrastructure,
  ids: ReadonlySet<string>,
  idFilter: string,
  list: (filters: Filter[]) => Promise<readonly T[]>,
  idOf: (item: T) => string | undefined,
): Promise<readonly T[]> => listWithIds(list, tagFilters(desired), { ids, idFilter, idOf })

/** The reads of the kinds that EC2 cannot list by VPC. */
interface TaggedReads {
  readonly dhcpOptions: Observation<AwsCloud, readonly DhcpOptions[]>
  readonly internetGateways: Observation<AwsCloud, readonly InternetGateway[]>
  readonly egressOnlyGateways: Observation<AwsCloud, readonly EgressOnlyInternetGateway[]>
  readonly addresses: Observation<AwsCloud, readonly Address[]>
}

const taggedReads = (
  desired: DesiredInfrastructure,
  /** Returns false if there is certainly no VPC. */
  mayHaveVpc: (context: ReadContext) => Promise<boolean>,
): TaggedReads => ({
  dhcpOptions: {
    name: 'DHCP options',
    observe: ({ cloud, state, signal }) =>
      taggedOr(
        desired,
        idsInState(state, key => key === 'DHCPOptions'),
        'dhcp-options-id',
        Filters =>
          ec2Pages('DhcpOptions', 'DhcpOptionsId', (page: Ec2Page) =>
            cloud.ec2.send(new DescribeDhcpOptionsCommand({ Filters, ...page }), { abortSignal: signal }),
          ),
        ({ DhcpOptionsId }) => DhcpOptionsId,
      ),
  },
  internetGateways: {
    name: 'internet gateways',
    observe: async context => {
      const { cloud, state, signal } = context
      const list = (Filters: Filter[]) =>
        ec2Pages('InternetGateways', 'InternetGatewayId', (page: Ec2Page) =>
          cloud.ec2.send(new DescribeInternetGatewaysCommand({ Filters, ...page }), { abortSignal: signal }),
        )
      if (desired.vpc.kind === 'existing')
        return list([{ Name: 'attachment.vpc-id', Values: [desired.vpc.id] }])
      const ids = idsInState(state, key => key === 'InternetGateway')
      // A gateway is created only for a VPC. It outlives the VPC if its creation got no answer.
      if (ids.size === 0 && !hasUnanswered(state) && !(await mayHaveVpc(context))) return []
      return taggedOr(desired, ids, 'internet-gateway-id', list, ({ InternetGatewayId }) => InternetGatewayId)
    },
  },
  egressOnlyGateways: {
    name: 'egress-only internet gateways',
    observe: async context => {
      const { cloud, state, signal } = context
      const ids = idsInState(state, key => key === 'EgressOnlyInternetGateway')
      if (ids.size === 0 && !hasUnanswered(state) && !(await mayHaveVpc(context))) return []
      const idOf = ({ EgressOnlyInternetGatewayId }: EgressOnlyInternetGateway) => EgressOnlyInternetGatewayId
      const list = (Filters: Filter[]) =>
        ec2Pages('EgressOnlyInternetGateways', 'EgressOnlyInternetGatewayId', (page: Ec2Page) => {
          const input = { ...(Filters.length > 0 && { Filters }), ...page }
          const command = new DescribeEgressOnlyInternetGatewaysCommand(input)
          return cloud.ec2.send(command, { abortSignal: signal })
        })
      // The API can filter only by tags.
      if (desired.vpc.kind === 'existing') return list([])
      const ours = await list(tagFilters(desired))
      const known = new Set(ours.map(idOf))
      return [...ids].every(id => known.has(id)) ? ours : list([])
    },
  },
  addresses: {
    name: 'elastic addresses',
    observe: ({ cloud, state, signal }) =>
      taggedOr(
        desired,
        idsInState(state, key => isZoneKey(key, 'NATGatewayElasticIP')),
        'allocation-id',
        async filters => {
          const command = new DescribeAddressesCommand({ Filters: filters })
          return (await cloud.ec2.send(command, { abortSignal: signal })).Addresses ?? []
        },
        ({ AllocationId }) => AllocationId,
      ),
  },
})
