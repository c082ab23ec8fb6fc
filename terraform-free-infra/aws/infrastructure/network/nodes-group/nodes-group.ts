import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupsCommand,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  type SecurityGroup,
} from '@aws-sdk/client-ec2'
import type { Change, Found, ResourceType } from '../../../../engine/engine.ts'
import type { AwsCloud } from '../../cloud.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import {
  foundTags,
  isOwned,
  ownsTag,
  type TagAttributes,
  type TagProof,
  tagSpecification,
  tagsAmong,
  whoseByTags,
  writeTags,
} from '../../tags.ts'
import type { NetworkReads } from '../reads.ts'
import type { VpcOutcome } from '../vpc/vpc.ts'
import { isOurShape, type RuleMarks, ruleMarks } from './nodes-rules.ts'
import { permissionsFor, ruleName, ruleOf, rulesIn, type SecurityRule } from './security-rules.ts'

export interface GroupOutcome {
  readonly id: string
}
/** Tags, and rules by name. Foreign rules are not attributes: they are neither shown nor changed. */
type GroupAttributes = TagAttributes & {
  readonly [Rule in `${SecurityRule['direction']} ${string}`]: true | undefined
}
type FoundGroup = Found<GroupAttributes, GroupOutcome>
type GroupNeeds = Readonly<Record<string, unknown>> & { readonly vpc: VpcOutcome }
type NodesGroupType = ResourceType<AwsCloud, GroupAttributes, GroupOutcome, GroupNeeds>

const isGroupKey = (key: string): boolean => key === 'NodesSecurityGroup'

export const nodesGroupName = ({ clusterName }: Pick<DesiredInfrastructure, 'clusterName'>): string =>
  `${clusterName}-nodes`

/** The security group of the nodes: created, or the user's, which is not changed. */
export const nodesGroupType = (desired: DesiredInfrastructure, reads: NetworkReads): NodesGroupType => {
  const given = desired.nodesSecurityGroup
  if (given === undefined) return ownGroupType(desired, reads)
  return {
    what: 'nodes security group',
    list: async ({ read }) =>
      (await read(reads.securityGroups))
        .filter(({ GroupId }) => GroupId === given)
        .map(() => ({
          id: given,
          key: nodesGroupName(desired),
          status: 'ready',
          attributes: {},
          outcome: { id: given },
          foreign: true,
        })),
    remembers: isGroupKey,
  }
}

const ownGroupType = (desired: DesiredInfrastructure, reads: NetworkReads): NodesGroupType => ({
  what: 'nodes security group',
  list: async ({ read, state }) => {
    const [groups, vpcs, subnets, tagsProve] = await Promise.all([
      read(reads.securityGroups),
      read(reads.vpcs),
      read(reads.subnets),
      read(reads.tagsProve),
    ])
    const marks = ruleMarks(desired, vpcs, subnets)
    return groups
      .filter(
        ({ GroupId, GroupName, Tags }) =>
          GroupName === nodesGroupName(desired) &&
          (isOwned(desired, Tags) || GroupId === state.NodesSecurityGroup),
      )
      .map(group => foundGroup({ ...desired, tagsProve }, group, marks))
  },
  create: async ({ cloud, signal, key, attributes, needs: { vpc } }) => {
    const { GroupId = '' } = await cloud.ec2.send(
      new CreateSecurityGroupCommand({
        GroupName: nodesGroupName(desired),
        Description: 'Security group for nodes',
        VpcId: vpc.id,
        TagSpecifications: tagSpecification(desired, 'security-group', attributes),
      }),
      { abortSignal: signal },
    )
    // A new group allows all IPv4 egress. In a VPC with IPv6 its rules are read.
    const made =
      vpc.ipv6 === undefined
        ? {
            GroupId,
            VpcId: vpc.id,
            IpPermissionsEgress: [{ IpProtocol: '-1', IpRanges: [{ CidrIp: anyIpv4 }] }],
          }
        : await describe(cloud, signal, GroupId)
    const found = foundGroup({ ...desired, tagsProve: false }, made, ruleMarks(desired, [], []))
    return { ...found, key, attributes: { ...found.attributes, ...tagsAmong(attributes) } }
  },
  update: async ({ found: { id }, changes, ...call }) => {
    await authorize(call, id, rulesAmong(changes, true))
    await revoke(call, id, rulesAmong(changes, false))
    await writeTags(call, id, changes)
    return undefined
  },
  remove: async ({ cloud, signal, found: { id } }) => {
    await cloud.ec2.send(new DeleteSecurityGroupCommand({ GroupId: id }), { abortSignal: signal })
    return 'gone'
  },
  marks: true,
  replaces: ['vpc'],
  owns: attribute => ruleOf(attribute) !== undefined || ownsTag(desired, attribute),
  remembers: isGroupKey,
})

const anyIpv4 = '0.0.0.0/0'

type GroupCall = { readonly cloud: AwsCloud; readonly signal: AbortSignal }

const describe = async (cloud: AwsCloud, abortSignal: AbortSignal, id: string): Promise<SecurityGroup> => {
  const command = new DescribeSecurityGroupsCommand({ GroupIds: [id] })
  const { SecurityGroups: [group] = [] } = await cloud.ec2.send(command, { abortSignal })
  return group ?? { GroupId: id }
}

const rulesAmong = (changes: readonly Change[], desiredValue: boolean): readonly SecurityRule[] =>
  changes.flatMap(({ attribute, after }) =>
    (after === true) === desiredValue ? (ruleOf(attribute) ?? []) : [],
  )

/** One call per direction. */
const authorize = async ({ cloud, signal }: GroupCall, GroupId: string, rules: readonly SecurityRule[]) => {
  const [ingress, egress] = byDirection(rules)
  const abortSignal = signal
  if (ingress.length > 0) {
    const request = { GroupId, IpPermissions: permissionsFor(GroupId, ingress) }
    await cloud.ec2.send(new AuthorizeSecurityGroupIngressCommand(request), { abortSignal })
  }
  if (egress.length > 0) {
    const request = { GroupId, IpPermissions: permissionsFor(GroupId, egress) }
    await cloud.ec2.send(new AuthorizeSecurityGroupEgressCommand(request), { abortSignal })
  }
}

const revoke = async ({ cloud, signal }: GroupCall, GroupId: string, rules: readonly SecurityRule[]) => {
  const [ingress, egress] = byDirection(rules)
  const abortSignal = signal
  if (ingress.length > 0) {
    const request = { GroupId, IpPermissions: permissionsFor(GroupId, ingress) }
    await cloud.ec2.send(new RevokeSecurityGroupIngressCommand(request), { abortSignal })
  }
  if (egress.length > 0) {
    const request = { GroupId, IpPermissions: permissionsFor(GroupId, egress) }
    await cloud.ec2.send(new RevokeSecurityGroupEgressCommand(request), { abortSignal })
  }
}

const byDirection = (rules: readonly SecurityRule[]) =>
  [
    rules.filter(({ direction }) => direction === 'ingress'),
    rules.filter(({ direction }) => direction === 'egress'),
  ] as const

const foundGroup = (proof: TagProof, group: SecurityGroup, marks: RuleMarks): FoundGroup => {
  const { GroupId: id = '', GroupName = '', IpPermissions, IpPermissionsEgress, Tags, VpcId } = group
  const rules = [
    ...rulesIn(id, 'ingress', IpPermissions),
    ...rulesIn(id, 'egress', IpPermissionsEgress),
  ].filter(rule => isOurShape(rule, marks))
  return {
    id,
    key: GroupName,
    status: 'ready',
    attributes: { ...Object.fromEntries(rules.map(rule => [ruleName(rule), true])), ...foundTags(Tags) },
    outcome: { id },
    uses: VpcId === undefined ? [] : [VpcId],
    ...whoseByTags(proof, id, Tags),
  }
}
