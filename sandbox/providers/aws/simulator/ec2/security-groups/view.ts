import type {
  IpPermission,
  SecurityGroup as SecurityGroupOut,
  SecurityGroupRule as SecurityGroupRuleOut,
} from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import type { SecurityGroup, SecurityGroupRule } from '../rows/network.ts'
import { tagsOut } from '../tags/tag-rules.ts'
import type { RuleDraft } from './rules.ts'

const note = (description: string | undefined) => (description ? { Description: description } : {})

const permissionOf = (rules: readonly RuleDraft[]): IpPermission => {
  const [first] = rules
  return {
    IpProtocol: first?.protocol,
    FromPort: first?.from,
    ToPort: first?.to,
    IpRanges: rules.flatMap(({ peer, description }) =>
      peer.type === 'ipv4' ? { CidrIp: peer.cidr, ...note(description) } : [],
    ),
    Ipv6Ranges: rules.flatMap(({ peer, description }) =>
      peer.type === 'ipv6' ? { CidrIpv6: peer.cidr, ...note(description) } : [],
    ),
    PrefixListIds: rules.flatMap(({ peer, description }) =>
      peer.type === 'prefix-list' ? { PrefixListId: peer.id, ...note(description) } : [],
    ),
    UserIdGroupPairs: rules.flatMap(({ peer, description }) =>
      peer.type === 'group' ? { GroupId: peer.id, UserId: peer.userId, ...note(description) } : [],
    ),
  }
}

/** EC2 returns rules with the same protocol and ports as one permission with many peers. */
export const permissionsOf = (rules: readonly RuleDraft[], egress: boolean): IpPermission[] => {
  const groups = Map.groupBy(
    rules.filter(rule => rule.egress === egress),
    ({ protocol, from, to }) => `${protocol} ${from} ${to}`,
  )
  return [...groups.values()].map(permissionOf)
}

export const groupView = (ec2: Ec2, group: SecurityGroup): SecurityGroupOut => ({
  OwnerId: ec2.accountId,
  GroupId: group.id,
  GroupName: group.name,
  Description: group.description,
  VpcId: group.vpcId,
  SecurityGroupArn: ec2.arn('security-group', group.id),
  IpPermissions: permissionsOf(group.rules, false),
  IpPermissionsEgress: permissionsOf(group.rules, true),
  Tags: tagsOut(group.tags),
})

export const ruleView = (ec2: Ec2, group: SecurityGroup, rule: SecurityGroupRule): SecurityGroupRuleOut => ({
  SecurityGroupRuleId: rule.id,
  SecurityGroupRuleArn: ec2.arn('security-group-rule', rule.id),
  GroupId: group.id,
  GroupOwnerId: ec2.accountId,
  IsEgress: rule.egress,
  IpProtocol: rule.protocol,
  FromPort: rule.from ?? -1,
  ToPort: rule.to ?? -1,
  ...(rule.peer.type === 'ipv4' ? { CidrIpv4: rule.peer.cidr } : {}),
  ...(rule.peer.type === 'ipv6' ? { CidrIpv6: rule.peer.cidr } : {}),
  ...(rule.peer.type === 'prefix-list' ? { PrefixListId: rule.peer.id } : {}),
  ...(rule.peer.type === 'group'
    ? { ReferencedGroupInfo: { GroupId: rule.peer.id, UserId: rule.peer.userId } }
    : {}),
  ...note(rule.description),
  Tags: tagsOut(rule.tags),
})

const ruleFields = (prefix: string, egress: boolean): FilterFields<SecurityGroup> => {
  const each = (value: (rule: SecurityGroupRule) => string | number | undefined) => (group: SecurityGroup) =>
    group.rules
      .filter(rule => rule.egress === egress)
      .flatMap(rule => {
        const own = value(rule)
        return own === undefined ? [] : String(own)
      })
  return {
    [`${prefix}.cidr`]: each(({ peer }) => (peer.type === 'ipv4' ? peer.cidr : undefined)),
    [`${prefix}.ipv6-cidr`]: each(({ peer }) => (peer.type === 'ipv6' ? peer.cidr : undefined)),
    [`${prefix}.prefix-list-id`]: each(({ peer }) => (peer.type === 'prefix-list' ? peer.id : undefined)),
    [`${prefix}.group-id`]: each(({ peer }) => (peer.type === 'group' ? peer.id : undefined)),
    [`${prefix}.user-id`]: each(({ peer }) => (peer.type === 'group' ? peer.userId : undefined)),
    [`${prefix}.protocol`]: each(({ protocol }) => protocol),
    [`${prefix}.from-port`]: each(({ from }) => from),
    [`${prefix}.to-port`]: each(({ to }) => to),
  }
}

export const groupFields = (ec2: Ec2): FilterFields<SecurityGroup> => ({
  description: group => group.description,
  'group-id': group => group.id,
  'group-name': group => group.name,
  'owner-id': () => ec2.accountId,
  'vpc-id': group => group.vpcId,
  ...ruleFields('ip-permission', false),
  ...ruleFields('egress.ip-permission', true),
})
