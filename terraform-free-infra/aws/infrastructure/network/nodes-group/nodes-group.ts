import {
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  type SecurityGroup,
} from '@aws-sdk/client-ec2'
import type { Change, Found, ResourceType } from '../../../../engine/engine.ts'
import { changeRules, rulesSender } from '../../../account/security-groups/change-rules.ts'
import {
  type RuleAttributes,
  ruleAttributes,
  ruleName,
  ruleOf,
  rulesOf,
  type SecurityRule,
  without,
} from '../../../account/security-groups/security-rule.ts'
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

export interface GroupOutcome {
  readonly id: string
  /** The names of rules of others, which are never changed: `ingress tcp 22 0.0.0.0/0`. */
  readonly foreignRules?: readonly string[]
}
/** Tags, and rules by name. Foreign rules are not attributes. */
type GroupAttributes = TagAttributes & RuleAttributes
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
    const made = { GroupId, VpcId: vpc.id, IpPermissionsEgress: everythingOut(vpc) }
    const found = foundGroup({ ...desired, tagsProve: false }, made, ruleMarks(desired, [], []))
    return { ...found, key, attributes: { ...found.attributes, ...tagsAmong(attributes) } }
  },
  update: async ({ found: { id }, changes, ...call }) => {
    await changeRules(
      [
        { kind: 'authorize', groupId: id, rules: rulesAmong(changes, true) },
        { kind: 'revoke', groupId: id, rules: rulesAmong(changes, false) },
      ],
      rulesSender(call.cloud.ec2, call.signal),
    )
    return writeTags(call, id, changes)
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

/**
 * The rules of a new group: it allows all traffic out, also with IPv6 in a VPC with an IPv6 block ("Default security
 * groups for your VPCs", VPC user guide). They are not read, because EC2 may not show the group yet.
 */
const everythingOut = ({ ipv6 }: VpcOutcome) => [
  {
    IpProtocol: '-1',
    IpRanges: [{ CidrIp: '0.0.0.0/0' }],
    ...(ipv6 !== undefined && { Ipv6Ranges: [{ CidrIpv6: '::/0' }] }),
  },
]

const rulesAmong = (changes: readonly Change[], desiredValue: boolean): readonly SecurityRule[] =>
  changes.flatMap(({ attribute, after }) =>
    (after === true) === desiredValue ? (ruleOf(attribute) ?? []) : [],
  )

const foundGroup = (proof: TagProof, group: SecurityGroup, marks: RuleMarks): FoundGroup => {
  const { GroupId: id = '', GroupName = '', Tags, VpcId } = group
  const rules = rulesOf(group).filter(rule => isOurShape(rule, marks))
  return {
    id,
    key: GroupName,
    status: 'ready',
    attributes: { ...ruleAttributes(rules), ...foundTags(Tags) },
    outcome: { id, foreignRules: without(rulesOf(group), rules).map(ruleName) },
    uses: VpcId === undefined ? [] : [VpcId],
    ...whoseByTags(proof, id, Tags),
  }
}
