import {
  DescribeNetworkInterfacesCommand,
  DescribeVpnGatewaysCommand,
  type NetworkInterface,
  type Tag,
  type VpnGateway,
} from '@aws-sdk/client-ec2'
import type { Explain, Observation, Read, State } from '../../../engine/engine.ts'
import { type Ec2Page, ec2Pages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import { isMarked, isOwned } from '../tags.ts'
import {
  type Blocker,
  blockersOfAddress,
  blockersOfGroup,
  blockersOfInternetGateway,
  blockersOfSubnet,
  blockersOfTable,
  blockersOfVpc,
  type ForeignContents,
  type IsOurs,
  sentenceOf,
} from './blockers.ts'
import { isRefused } from './refused-reads.ts'

/**
 * Returns the function that names what blocks the removal of a resource. It costs one read of the interfaces in the
 * VPC, one of the groups, and for a VPC one of each kind in it.
 */
export const explainRemoval = (desired: DesiredInfrastructure, reads: NetworkReads): Explain<AwsCloud> => {
  const interfaces = interfacesOf(reads)
  const vpnGateways = vpnGatewaysOf(reads)

  const foreignContents = async (read: Read<AwsCloud>, isOurs: IsOurs): Promise<ForeignContents> => {
    const foreign = async <T extends { readonly Tags?: Tag[] | undefined }>(
      observation: Observation<AwsCloud, readonly T[]>,
      idOf: (thing: T) => string | undefined,
    ): Promise<readonly T[]> =>
      (await read(observation)).filter(
        thing =>
          !isOurs(idOf(thing) ?? '') && !isOwned(desired, thing.Tags) && !isMarked(desired, thing.Tags),
      )
    const [subnets, natGateways, internetGateways, egressOnlyGateways] = await Promise.all([
      foreign(reads.subnets, ({ SubnetId }) => SubnetId),
      foreign(reads.natGateways, ({ NatGatewayId }) => NatGatewayId),
      foreign(reads.internetGateways, ({ InternetGatewayId }) => InternetGatewayId),
      foreign(reads.egressOnlyGateways, ({ EgressOnlyInternetGatewayId }) => EgressOnlyInternetGatewayId),
    ])
    const [gatewayEndpoints, routeTables, securityGroups, vpn] = await Promise.all([
      foreign(reads.gatewayEndpoints, ({ VpcEndpointId }) => VpcEndpointId),
      foreign(reads.routeTables, ({ RouteTableId }) => RouteTableId),
      foreign(reads.securityGroups, ({ GroupId }) => GroupId),
      read(vpnGateways),
    ])
    return {
      subnets,
      natGateways,
      internetGateways,
      egressOnlyGateways,
      gatewayEndpoints,
      routeTables,
      securityGroups,
      vpnGateways: vpn,
    }
  }

  return async ({ read, state }, { what, found: { id } }) => {
    const ids = new Set([...Object.values(state), ...deletedIn(state)])
    const isOurs: IsOurs = one => ids.has(one)
    const blockers = async (): Promise<readonly Blocker[]> => {
      switch (what) {
        case 'subnet':
          return blockersOfSubnet(await read(interfaces), id, isOurs)
        case 'internet gateway':
          return blockersOfInternetGateway(await read(interfaces), isOurs)
        case 'nodes security group':
        case 'leftover security group':
          return blockersOfGroup(await read(interfaces), await read(reads.securityGroups), id, isOurs)
        case 'elastic address':
          return blockersOfAddress(await read(interfaces), await read(reads.addresses), id, isOurs)
        case 'route table':
          return blockersOfTable(await read(reads.routeTables), id, isOurs)
        case 'VPC':
          return blockersOfVpc(await foreignContents(read, isOurs), id)
        default:
          return []
      }
    }
    return sentenceOf(id, await blockers())
  }
}

/** Returns the ids that the state remembers as deleted a short time ago. AWS may still remove their interfaces. */
const deletedIn = (state: State): readonly string[] =>
  Object.keys(state).flatMap(key => /^Deleted\/[^/]+\/(.+)$/.exec(key)?.[1] ?? [])

/** Reads all interfaces in the VPC, also those of services. */
const interfacesOf = ({
  home,
}: Pick<NetworkReads, 'home'>): Observation<AwsCloud, readonly NetworkInterface[]> => ({
  name: 'network interfaces in the VPC',
  observe: async ({ cloud, signal, read }) => {
    const vpc = await read(home)
    if (vpc.size === 0) return []
    const Filters = [{ Name: 'vpc-id', Values: [...vpc] }]
    return ec2Pages('NetworkInterfaces', 'NetworkInterfaceId', (page: Ec2Page) =>
      cloud.ec2.send(new DescribeNetworkInterfacesCommand({ Filters, ...page }), { abortSignal: signal }),
    )
  },
})

/** Reads the VPN gateways of the VPC. Nothing else needs this permission, so a refusal only leaves them out. */
const vpnGatewaysOf = ({
  home,
}: Pick<NetworkReads, 'home'>): Observation<AwsCloud, readonly VpnGateway[]> => ({
  name: 'VPN gateways of the VPC',
  observe: async ({ cloud, signal, read }) => {
    const vpc = await read(home)
    if (vpc.size === 0) return []
    const command = new DescribeVpnGatewaysCommand({
      Filters: [{ Name: 'attachment.vpc-id', Values: [...vpc] }],
    })
    try {
      return (await cloud.ec2.send(command, { abortSignal: signal })).VpnGateways ?? []
    } catch (error) {
      if (!isRefused(error)) throw error
      return []
    }
  },
})
