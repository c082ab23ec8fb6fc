import type { GraphBuilder, Ref } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { Purpose } from '../purpose.ts'
import { tagAttributes, tagsOf } from '../tags.ts'
import type { InfrastructureWish } from '../wish.ts'
import { defaultGroupType, noRules } from './default-group.ts'
import { dhcpOptionsType } from './dhcp-options.ts'
import { egressOnlyGatewayType } from './egress-only-gateway.ts'
import { type GatewayOutcome, internetGatewayType } from './internet-gateway.ts'
import { type GroupOutcome, nodesGroupName, nodesGroupType } from './nodes-group.ts'
import { nodesRules, type ZoneSubnets } from './nodes-rules.ts'
import type { NetworkReads } from './reads.ts'
import { type VpcOutcome, vpcType } from './vpc.ts'

export interface BaseRefs {
  readonly vpc: Ref<VpcOutcome>
  /** Undefined: no subnet needs it. */
  readonly internetGateway: Ref<GatewayOutcome> | undefined
  /** Undefined: no IPv6. */
  readonly egressOnlyGateway: Ref<GatewayOutcome> | undefined
}

/** The VPC and its gateways: made, or the user's. */
export const addVpc = (
  graph: GraphBuilder<AwsCloud>,
  wish: InfrastructureWish,
  reads: NetworkReads,
  purpose: Purpose,
): BaseRefs => {
  const { clusterName: key, ipFamilies } = wish
  const tags = tagAttributes(tagsOf(wish, key))
  const managed = wish.vpc.kind === 'managed' ? wish.vpc : undefined
  const dhcpOptions =
    managed &&
    graph.add(dhcpOptionsType(wish, reads), '', { key, attributes: tags, state: { id: 'DHCPOptions' } })
  const vpc = graph.add(vpcType(wish, reads, purpose), '', {
    // The user's has whatever name it has; its id is what is looked for.
    ...(managed && { key }),
    attributes: {
      cidr: managed?.cidr ?? '',
      dhcpOptions: dhcpOptions === undefined ? '' : dhcpOptions.get(({ id }) => id),
      dnsSupport: true,
      dnsHostnames: true,
      ...(managed?.ipv6 && { ipv6: true }),
      ...tags,
    },
    state: { id: 'VPC', values: { VPCIPv6CidrBlock: ({ ipv6 }) => (wishesIpv6(wish) ? ipv6 : undefined) } },
  })
  if (managed !== undefined) {
    graph.add(defaultGroupType(reads), '', {
      key: 'default',
      needs: { vpc },
      attributes: noRules,
      state: { id: 'DefaultSecurityGroup' },
    })
  }
  const publicSubnets = wish.zones.kind === 'managed'
  const internetGateway =
    managed || publicSubnets
      ? graph.add(internetGatewayType(wish, reads), '', {
          key,
          attributes: { attachedTo: vpc.get(({ id }) => id), ...tags },
          state: { id: 'InternetGateway' },
        })
      : undefined
  const egressOnlyGateway = ipFamilies.includes('IPv6')
    ? graph.add(egressOnlyGatewayType(wish, reads), '', {
        key,
        needs: { vpc },
        attributes: tags,
        state: { id: 'EgressOnlyInternetGateway' },
      })
    : undefined
  return { vpc, internetGateway, egressOnlyGateway }
}

/** Whether the subnets shall have IPv6 blocks. */
export const wishesIpv6 = ({ vpc }: Pick<InfrastructureWish, 'vpc'>): boolean =>
  vpc.kind === 'existing' ? vpc.ipv6 : vpc.ipv6 !== undefined

/** A zone's subnets as the nodes' group needs them, under names by which they are put together again. */
export interface ZoneRefs {
  readonly zone: string
  /** From outcomes by label. */
  readonly needs: Readonly<Record<string, Ref<unknown>>>
  readonly subnets: (outcomes: Readonly<Record<string, unknown>>) => ZoneSubnets
}

/** The security group of the nodes, with rules for the CIDRs that the subnets turn out to have. */
export const addNodesGroup = (
  graph: GraphBuilder<AwsCloud>,
  wish: InfrastructureWish,
  reads: NetworkReads,
  { vpc, zones }: { readonly vpc: Ref<VpcOutcome>; readonly zones: readonly ZoneRefs[] },
): Ref<GroupOutcome> => {
  const name = nodesGroupName(wish)
  const tags = tagAttributes(tagsOf(wish, name))
  const needs = Object.assign({}, ...zones.map(zone => zone.needs))
  return graph.add(nodesGroupType(wish, reads), '', {
    key: name,
    needs: { ...needs, vpc },
    attributes: outcomes =>
      wish.nodesSecurityGroup === undefined
        ? {
            ...nodesRules(
              wish,
              zones.map(zone => zone.subnets(outcomes)),
            ),
            ...tags,
          }
        : {},
    state: { id: 'NodesSecurityGroup' },
  })
}
