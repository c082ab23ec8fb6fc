import type {
  AuthorizeSecurityGroupEgressRequest,
  AuthorizeSecurityGroupEgressResult,
  AuthorizeSecurityGroupIngressRequest,
  AuthorizeSecurityGroupIngressResult,
  IpPermission,
  RevokeSecurityGroupEgressRequest,
  RevokeSecurityGroupEgressResult,
  RevokeSecurityGroupIngressRequest,
  RevokeSecurityGroupIngressResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { invalidValue, missingParameter } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import type { SecurityGroup, SecurityGroupRule } from '../rows/network.ts'
import { newTags } from '../tags/tag-rules.ts'
import { groupByName } from './groups.ts'
import { ruleKey, rulesOf, ruleText } from './rules.ts'
import { permissionsOf, ruleView } from './view.ts'

/** A single range as flat parameters, the alternative to a list of permissions. */
interface FlatPermission {
  readonly IpPermissions?: IpPermission[] | undefined
  readonly IpProtocol?: string | undefined
  readonly FromPort?: number | undefined
  readonly ToPort?: number | undefined
  readonly CidrIp?: string | undefined
}

const permissionsIn = (input: FlatPermission): readonly IpPermission[] => {
  const { IpPermissions: list = [], IpProtocol, FromPort, ToPort, CidrIp } = input
  if (IpProtocol === undefined) return list
  if (list.length > 0) throw invalidValue('Only one of ipPermissions and a single permission may be given.')
  return [{ IpProtocol, FromPort, ToPort, IpRanges: CidrIp === undefined ? [] : [{ CidrIp }] }]
}

interface GroupReference {
  readonly GroupId?: string | undefined
  readonly GroupName?: string | undefined
}

const groupOf = (ec2: Ec2, { GroupId, GroupName }: GroupReference): SecurityGroup => {
  if (GroupId !== undefined) return find(ec2, 'securityGroups', GroupId)
  if (GroupName === undefined) throw missingParameter('groupName or groupId')
  return groupByName(ec2, GroupName)
}

const authorize = (
  ec2: Ec2,
  input: FlatPermission & GroupReference & Pick<AuthorizeSecurityGroupIngressRequest, 'TagSpecifications'>,
  egress: boolean,
): AuthorizeSecurityGroupIngressResult => {
  const group = groupOf(ec2, input)
  const permissions = permissionsIn(input)
  if (permissions.length === 0) throw missingParameter('ipPermissions')
  const tags = newTags(input.TagSpecifications, 'security-group-rule')
  const drafts = rulesOf(ec2, group, permissions, egress, tags)
  const keys = new Set<string>()
  for (const draft of drafts) {
    if (keys.has(ruleKey(draft))) throw invalidValue('The same permission must not appear multiple times')
    keys.add(ruleKey(draft))
  }
  const known = new Set(group.rules.map(ruleKey))
  const duplicate = drafts.find(draft => known.has(ruleKey(draft)))
  if (duplicate) {
    throw refuse('InvalidPermission.Duplicate', `the specified rule "${ruleText(duplicate)}" already exists`)
  }
  const count = group.rules.filter(rule => rule.egress === egress).length + drafts.length
  if (ec2.limits.rules !== undefined && count > ec2.limits.rules) {
    throw refuse(
      'RulesPerSecurityGroupLimitExceeded',
      'The maximum number of rules per security group has been reached.',
    )
  }
  const added: SecurityGroupRule[] = drafts.map(draft => ({ ...draft, id: ec2.newId('sgr') }))
  ec2.tables.securityGroups.put({ ...group, rules: [...group.rules, ...added] })
  return { Return: true, SecurityGroupRules: added.map(rule => ruleView(ec2, group, rule)) }
}

const rulesById = (group: SecurityGroup, ids: readonly string[], egress: boolean) =>
  ids.map(id => {
    const rule = group.rules.find(candidate => candidate.id === id && candidate.egress === egress)
    if (!rule) {
      throw refuse('InvalidSecurityGroupRuleId.NotFound', `The security group rule ID '${id}' does not exist`)
    }
    return rule
  })

const revoke = (
  ec2: Ec2,
  input: FlatPermission & GroupReference & Pick<RevokeSecurityGroupIngressRequest, 'SecurityGroupRuleIds'>,
  egress: boolean,
): RevokeSecurityGroupIngressResult => {
  const group = groupOf(ec2, input)
  const permissions = permissionsIn(input)
  const ids = input.SecurityGroupRuleIds ?? []
  if (permissions.length === 0 && ids.length === 0) {
    throw refuse('MissingParameter', "Either 'ipPermissions' or 'securityGroupRuleIds' should be provided.")
  }
  const drafts = rulesOf(ec2, group, permissions, egress)
  const byKey = new Map(group.rules.map(rule => [ruleKey(rule), rule]))
  const unknown = drafts.filter(draft => !byKey.has(ruleKey(draft)))
  // Only a default VPC returns unknown rules instead of refusing them ("RevokeSecurityGroupIngress", API reference).
  if (unknown.length > 0 && !ec2.tables.vpcs.get(group.vpcId)?.isDefault) {
    throw refuse('InvalidPermission.NotFound', 'The specified rule does not exist in this security group.')
  }
  const revoked = new Set([
    ...drafts.flatMap(draft => byKey.get(ruleKey(draft)) ?? []),
    ...rulesById(group, ids, egress),
  ])
  ec2.tables.securityGroups.put({ ...group, rules: group.rules.filter(rule => !revoked.has(rule)) })
  return {
    Return: true,
    ...(unknown.length > 0 ? { UnknownIpPermissions: permissionsOf(unknown, egress) } : {}),
    RevokedSecurityGroupRules: [...revoked].map(rule => {
      const { ReferencedGroupInfo, Tags, GroupOwnerId, SecurityGroupRuleArn, ...view } = ruleView(
        ec2,
        group,
        rule,
      )
      return { ...view, ReferencedGroupId: ReferencedGroupInfo?.GroupId }
    }),
  }
}

const acceptsPermission = {
  IpPermissions: {
    IpProtocol: true,
    FromPort: true,
    ToPort: true,
    IpRanges: true,
    Ipv6Ranges: true,
    PrefixListIds: true,
    UserIdGroupPairs: { GroupId: true, GroupName: true, UserId: true, Description: true, VpcId: true },
  },
  IpProtocol: true,
  FromPort: true,
  ToPort: true,
  CidrIp: true,
} as const

export const permissionOperations = {
  AuthorizeSecurityGroupIngress: operation<
    AuthorizeSecurityGroupIngressRequest,
    AuthorizeSecurityGroupIngressResult
  >({ GroupId: true, GroupName: true, TagSpecifications: acceptsTags, ...acceptsPermission }, (input, ec2) =>
    authorize(ec2, input, false),
  ),
  AuthorizeSecurityGroupEgress: operation<
    AuthorizeSecurityGroupEgressRequest,
    AuthorizeSecurityGroupEgressResult
  >({ GroupId: true, TagSpecifications: acceptsTags, ...acceptsPermission }, (input, ec2) =>
    authorize(ec2, input, true),
  ),
  RevokeSecurityGroupIngress: operation<RevokeSecurityGroupIngressRequest, RevokeSecurityGroupIngressResult>(
    { GroupId: true, GroupName: true, SecurityGroupRuleIds: true, ...acceptsPermission },
    (input, ec2) => revoke(ec2, input, false),
  ),
  RevokeSecurityGroupEgress: operation<RevokeSecurityGroupEgressRequest, RevokeSecurityGroupEgressResult>(
    { GroupId: true, SecurityGroupRuleIds: true, ...acceptsPermission },
    (input, ec2) => revoke(ec2, input, true),
  ),
}
