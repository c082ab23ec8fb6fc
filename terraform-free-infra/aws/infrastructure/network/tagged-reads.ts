import {
  type Address,
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeEgressOnlyInternetGatewaysCommand,
  DescribeInternetGatewaysCommand,
  type DhcpOptions,
  type EgressOnlyInternetGateway,
  type Filter,
  type InternetGateway,
} from '@aws-sdk/client-ec2'
import { hasUnanswered, type Observation } from '../../../engine/engine.ts'
import { allPages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { idsInState, isZoneKey } from '../state.ts'
import { clusterTag } from '../tags.ts'
import { listWithIds } from './list-with-ids.ts'
import type { ReadContext } from './listed-kinds.ts'

/** Lists everything with the tag of the cluster. */
export const tagFilters = (desired: DesiredInfrastructure): Filter[] => [
  { Name: `tag:${clusterTag(desired)}`, Values: ['owned'] },
]

/** Returns resources with our tag and those in the state, because a tag may have been removed. */
export const taggedOr = <T>(
  desired: DesiredInfrastructure,
  ids: ReadonlySet<string>,
  idFilter: string,
  list: (filters: Filter[]) => Promise<readonly T[]>,
  idOf: (item: T) => string | undefined,
): Promise<readonly T[]> => listWithIds(list, tagFilters(desired), { ids, idFilter, idOf })

/** The reads of the kinds that EC2 cannot list by VPC. */
export interface TaggedReads {
  readonly dhcpOptions: Observation<AwsCloud, readonly DhcpOptions[]>
  readonly internetGateways: Observation<AwsCloud, readonly InternetGateway[]>
  readonly egressOnlyGateways: Observation<AwsCloud, readonly EgressOnlyInternetGateway[]>
  readonly addresses: Observation<AwsCloud, readonly Address[]>
}

export const taggedReads = (
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
      return taggedOr(desired, ids, 'internet-gateway-id', list, idOf)
    },
  },
  egressOnlyGateways: {
    name: 'egress-only internet gateways',
    observe: async context => {
      const { cloud, state, signal } = context
      const ids = idsInState(state, key => key === 'EgressOnlyInternetGateway')
      if (ids.size === 0 && !hasUnanswered(state) && !(await mayHaveVpc(context))) return []
      const idOf = ({ EgressOnlyInternetGatewayId }: EgressOnlyInternetGateway) => EgressOnlyInternetGatewayId
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

const dhcpOptionsId = ({ DhcpOptionsId }: DhcpOptions) => DhcpOptionsId
