import type { IpPermission, SecurityGroup } from '@aws-sdk/client-ec2'
import { canonicalCidr } from '../../../cloud/cidr.ts'

/** One rule of a security group: a protocol, a range of ports and one peer. */
export interface SecurityRule {
  readonly direction: 'ingress' | 'egress'
  /** In EC2's format (`tcp`, `icmp`, `50`), and `all`. */
  readonly protocol: string
  /** `22`, `30000-32767`. For ICMP: type and code. Empty: all. */
  readonly ports: string
  /**
   * A CIDR in canonical form, `itself`, the id of another group (`sg-…`, in another account `123456789012/sg-…`), or
   * that of a prefix list (`pl-…`).
   */
  readonly peer: string
}

/** A rule of an existing group. */
export interface FoundRule extends SecurityRule {
  /** True if the rule has a description. */
  readonly described: boolean
}

/**
 * Returns a name of a rule for users and attributes, equal for equal rules: `ingress tcp 22 203.0.113.7/32`, `egress
 * all itself`.
 */
export const ruleName = ({ direction, protocol, ports, peer }: SecurityRule): string =>
  [direction, protocol, ...(ports === '' ? [] : [ports]), peer].join(' ')

/** Returns the rule with a name, or undefined for any other text. */
export const ruleOf = (name: string): SecurityRule | undefined => {
  const [, direction, protocol = '', ports = '', peer = ''] =
    /^(ingress|egress) ([a-z0-9]+) (?:(-?\d+(?:--?\d+)?) )?(\S+)$/.exec(name) ?? []
  return direction === 'ingress' || direction === 'egress' ? { direction, protocol, ports, peer } : undefined
}

/** Rules by name, as attributes of a group. */
export type RuleAttributes = {
  readonly [Rule in `${SecurityRule['direction']} ${string}`]: true | undefined
}

export const ruleAttributes = (rules: readonly SecurityRule[]): RuleAttributes =>
  Object.fromEntries(rules.map(rule => [ruleName(rule), true]))

/** Returns the rules that are not among the others. */
export const without = <R extends SecurityRule>(
  rules: readonly R[],
  others: readonly SecurityRule[],
): readonly R[] => {
  const names = new Set(others.map(ruleName))
  return rules.filter(rule => !names.has(ruleName(rule)))
}

/** The peer of a rule that refers to its own group, which may have no id yet. */
export const itself = 'itself'

/** Returns the id of the other group in a rule. */
export const referredGroup = ({ peer }: SecurityRule): string | undefined =>
  /^(?:\d+\/)?(sg-.+)$/.exec(peer)?.[1]

/** Returns the rules of a group, one per peer. EC2 groups those of equal ports, in any order. */
export const rulesOf = (group: SecurityGroup): readonly FoundRule[] => [
  ...(group.IpPermissions ?? []).flatMap(permission => rulesIn('ingress', permission, group)),
  ...(group.IpPermissionsEgress ?? []).flatMap(permission => rulesIn('egress', permission, group)),
]

const rulesIn = (
  direction: SecurityRule['direction'],
  { IpProtocol = '-1', FromPort: from, ToPort: to, ...listed }: IpPermission,
  { GroupId: own, OwnerId: owner }: SecurityGroup,
): readonly FoundRule[] => {
  const protocol = IpProtocol === '-1' ? 'all' : IpProtocol
  const ports = protocol === 'all' || from === undefined ? '' : from === to ? `${from}` : `${from}-${to}`
  const groupOf = (id: string | undefined, account = owner) =>
    id === own ? itself : account === owner ? id : `${account}/${id}`
  const peers: readonly (readonly [string | undefined, string | undefined])[] = [
    ...(listed.IpRanges ?? []).map(one => [one.CidrIp, one.Description] as const),
    ...(listed.Ipv6Ranges ?? []).map(one => [one.CidrIpv6, one.Description] as const),
    ...(listed.UserIdGroupPairs ?? []).map(
      one => [groupOf(one.GroupId, one.UserId), one.Description] as const,
    ),
    ...(listed.PrefixListIds ?? []).map(one => [one.PrefixListId, one.Description] as const),
  ]
  return peers.flatMap(([peer, description = '']) =>
    peer === undefined
      ? []
      : [{ direction, protocol, ports, peer: canonicalCidr(peer), described: description !== '' }],
  )
}

/** Returns the permission of a rule for a call about its group. */
export const permissionOf = (groupId: string, { protocol, ports, peer }: SecurityRule): IpPermission => {
  const [, from, to = from] = /^(-?\d+)(?:-(-?\d+))?$/.exec(ports) ?? []
  return {
    IpProtocol: protocol === 'all' ? '-1' : protocol,
    ...(from !== undefined && { FromPort: Number(from), ToPort: Number(to) }),
    ...peerOf(groupId, peer),
  }
}

const peerOf = (groupId: string, peer: string): IpPermission => {
  if (peer === itself) return { UserIdGroupPairs: [{ GroupId: groupId }] }
  const [, UserId, GroupId] = /^(?:(\d+)\/)?(sg-.+)$/.exec(peer) ?? []
  if (GroupId !== undefined) return { UserIdGroupPairs: [{ GroupId, ...(UserId && { UserId }) }] }
  if (peer.startsWith('pl-')) return { PrefixListIds: [{ PrefixListId: peer }] }
  return peer.includes(':') ? { Ipv6Ranges: [{ CidrIpv6: peer }] } : { IpRanges: [{ CidrIp: peer }] }
}
