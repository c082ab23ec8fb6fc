import { DescribeSecurityGroupsCommand, type SecurityGroup } from '@aws-sdk/client-ec2'
import type { Found, GraphBuilder, Ref, ResourceType } from '../../../engine/engine.ts'
import { AwsError } from '../../account/errors/aws-error.ts'
import { changeRules, rulesSender } from '../../account/security-groups/change-rules.ts'
import {
  type RuleAttributes,
  ruleAttributes,
  ruleOf,
  rulesOf,
} from '../../account/security-groups/security-rule.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { type Purpose, tagAttributes, tagsOf } from '../tags.ts'
import { type GroupOutcome, nodesGroupName, nodesGroupType } from './nodes-group/nodes-group.ts'
import { nodesRules, type ZoneSubnets } from './nodes-group/nodes-rules.ts'
import type { NetworkReads } from './reads.ts'
import { dhcpOptionsType } from './vpc/dhcp-options.ts'
import { egressOnlyGatewayType } from './vpc/egress-only-gateway.ts'
import { type GatewayOutcome, internetGatewayType } from './vpc/internet-gateway.ts'
import { type VpcOutcome, vpcType } from './vpc/vpc.ts'

export interface BaseRefs {
  readonly vpc: Ref<VpcOutcome>
  /** Undefined: no subnet needs one. */
  readonly internetGateway: Ref<GatewayOutcome> | undefined
  /** Undefined: no IPv6. */
  readonly egressOnlyGateway: Ref<GatewayOutcome> | undefined
}

/** The VPC and its gateways: created, or the user's. */
export const addVpc = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  purpose: Purpose,
): BaseRefs => {
  const { clusterName: key, ipFamilies } = desired
  const tags = tagAttributes(tagsOf(desired, key))
  const managed = desired.vpc.kind === 'managed' ? desired.vpc : undefined
  const dhcpOptions =
    managed &&
    graph.add(dhcpOptionsType(desired, reads), '', { key, attributes: tags, state: { id: 'DHCPOptions' } })
  const vpc = graph.add(vpcType(desired, reads, purpose), '', {
    // The user's VPC may have any name. It is found by id.
    ...(managed && { key }),
    attributes: {
      cidr: managed?.cidr ?? '',
      dhcpOptions: dhcpOptions === undefined ? '' : dhcpOptions.get(({ id }) => id),
      dnsSupport: true,
      dnsHostnames: true,
      ...(managed?.ipv6 && { ipv6: true }),
      ...tags,
    },
    state: {
      id: 'VPC',
      values: { VPCIPv6CidrBlock: ({ ipv6 }) => (desiresIpv6(desired) ? ipv6 : undefined) },
    },
  })
  if (managed !== undefined)
    graph.add(defaultGroupType(reads), '', {
      key: 'default',
      needs: { vpc },
      attributes: {},
      state: { id: 'DefaultSecurityGroup' },
    })
  const publicSubnets = desired.zones.kind === 'managed'
  const internetGateway =
    managed || publicSubnets
      ? graph.add(internetGatewayType(desired, reads), '', {
          key,
          attributes: { attachedTo: vpc.get(({ id }) => id), ...tags },
          state: { id: 'InternetGateway' },
        })
      : undefined
  const egressOnlyGateway = ipFamilies.includes('IPv6')
    ? graph.add(egressOnlyGatewayType(desired, reads), '', {
        key,
        needs: { vpc },
        attributes: tags,
        state: { id: 'EgressOnlyInternetGateway' },
      })
    : undefined
  return { vpc, internetGateway, egressOnlyGateway }
}

/** Returns true if the subnets need IPv6 blocks. */
export const desiresIpv6 = ({ vpc }: Pick<DesiredInfrastructure, 'vpc'>): boolean =>
  vpc.kind === 'existing' ? vpc.ipv6 : vpc.ipv6 !== undefined

/** A zone's subnets for the nodes' group, under the names by which they are collected. */
export interface ZoneRefs {
  readonly zone: string
  /** Collects the subnets from outcomes by label. */
  readonly needs: Readonly<Record<string, Ref<unknown>>>
  readonly subnets: (outcomes: Readonly<Record<string, unknown>>) => ZoneSubnets
}

/** The security group of the nodes, with rules for the actual CIDRs of the subnets. */
export const addNodesGroup = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  reads: NetworkReads,
  { vpc, zones }: { readonly vpc: Ref<VpcOutcome>; readonly zones: readonly ZoneRefs[] },
): Ref<GroupOutcome> => {
  const name = nodesGroupName(desired)
  const tags = tagAttributes(tagsOf(desired, name))
  const needs = Object.assign({}, ...zones.map(zone => zone.needs))
  return graph.add(nodesGroupType(desired, reads), '', {
    key: name,
    needs: { ...needs, vpc },
    attributes: outcomes =>
      desired.nodesSecurityGroup === undefined
        ? {
            ...nodesRules(
              desired,
              zones.map(zone => zone.subnets(outcomes)),
            ),
            ...tags,
          }
        : {},
    state: { id: 'NodesSecurityGroup' },
  })
}

/** Every VPC has a default group, but EC2 may not list that of a new VPC yet. The action is tried again. */
const notShownYet = (vpc: string): AwsError =>
  new AwsError('DescribeSecurityGroups', {
    code: 'IncorrectState',
    status: 200,
    said: `EC2 does not list the default security group of the VPC ${vpc} yet`,
  })

interface DefaultGroup {
  readonly id: string
}
/** The default group of the managed VPC, which allows no traffic. It is created and deleted with the VPC. */
const defaultGroupType = (
  reads: NetworkReads,
): ResourceType<AwsCloud, RuleAttributes, DefaultGroup, { vpc: VpcOutcome }> => ({
  what: 'default security group',
  list: async ({ read }) =>
    (await read(reads.securityGroups)).filter(({ GroupName }) => GroupName === 'default').map(foundGroup),
  create: async ({ cloud, signal, needs }) => {
    const { SecurityGroups = [] } = await cloud.ec2.send(
      new DescribeSecurityGroupsCommand({
        Filters: [
          { Name: 'vpc-id', Values: [needs.vpc.id] },
          { Name: 'group-name', Values: ['default'] },
        ],
      }),
      { abortSignal: signal },
    )
    const [group] = SecurityGroups
    if (group === undefined) throw notShownYet(needs.vpc.id)
    return foundGroup(group)
  },
  update: async ({ cloud, signal, found: { id }, changes }) => {
    const rules = changes.flatMap(({ attribute }) => ruleOf(attribute) ?? [])
    await changeRules([{ kind: 'revoke', groupId: id, rules }], rulesSender(cloud.ec2, signal))
    return undefined
  },
  owns: attribute => ruleOf(attribute) !== undefined,
  remembers: key => key === 'DefaultSecurityGroup',
})

const foundGroup = (group: SecurityGroup): Found<RuleAttributes, DefaultGroup> => {
  const { GroupId: id = '' } = group
  return {
    id,
    key: 'default',
    status: 'ready',
    attributes: ruleAttributes(rulesOf(group)),
    outcome: { id },
    ours: 'proved',
  }
}
