import type { IpPermission } from '@aws-sdk/client-ec2'
import { parseCidr } from '../../../../terraform-free-infra/aws/account/ranges/cidr.ts'

/** One rule of a security group: a protocol, a range of ports and one peer. */
export interface Rule {
  readonly direction: 'ingress' | 'egress'
  /** In EC2's format: `tcp`, or `-1` for all. */
  readonly protocol: string
  /** Undefined: all ports. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** A CIDR without host bits, the id of a group (`sg-…`), or that of a prefix list (`pl-…`). */
  readonly peer: string
}

export const sshRule = (direction: Rule['direction'], peer: string): Rule => ({
  direction,
  protocol: 'tcp',
  from: 22,
  to: 22,
  peer,
})

/** The default egress rule of a new group. A VPC with IPv6 adds the same for `::/0`. */
export const everythingOut: Rule = {
  direction: 'egress',
  protocol: '-1',
  from: undefined,
  to: undefined,
  peer: '0.0.0.0/0',
}

/**
 * Returns a description of a rule for users, equal for equal rules: `ingress tcp 22 203.0.113.7/32`, `egress all
 * 0.0.0.0/0`.
 */
export const ruleName = ({ direction, protocol, from, to, peer }: Rule): string => {
  const ports = from === undefined ? [] : [from === to ? `${from}` : `${from}-${to}`]
  return [direction, protocol === '-1' ? 'all' : protocol, ...ports, peer].join(' ')
}

export const without = (rules: readonly Rule[], others: readonly Rule[]): readonly Rule[] => {
  const names = new Set(others.map(ruleName))
  return rules.filter(rule => !names.has(ruleName(rule)))
}

/** Returns the rules of a group, one per peer. EC2 groups those of equal ports. */
export const rulesIn = (
  direction: Rule['direction'],
  permissions: readonly IpPermission[] = [],
): readonly Rule[] =>
  permissions.flatMap(({ IpProtocol: protocol = '-1', FromPort: from, ToPort: to, ...peers }) =>
    [
      ...(peers.IpRanges ?? []).map(({ CidrIp }) => CidrIp),
      ...(peers.Ipv6Ranges ?? []).map(({ CidrIpv6 }) => CidrIpv6),
      ...(peers.UserIdGroupPairs ?? []).map(({ GroupId }) => GroupId),
      ...(peers.PrefixListIds ?? []).map(({ PrefixListId }) => PrefixListId),
    ].flatMap(peer =>
      peer === undefined
        ? []
        : [{ direction, protocol, from, to, peer: parseCidr(peer)?.canonical ?? peer } satisfies Rule],
    ),
  )

/** Returns the permissions of rules for one call: one per protocol and ports. */
export const permissionsFor = (rules: readonly Rule[]): IpPermission[] => {
  const alike = Map.groupBy(rules, ({ protocol, from, to }) => `${protocol} ${from} ${to}`)
  return [...alike.values()].map(([first, ...others]): IpPermission => {
    const peers = [first, ...others].map(rule => rule?.peer ?? '')
    const groups = peers.filter(peer => peer.startsWith('sg-'))
    const lists = peers.filter(peer => peer.startsWith('pl-'))
    const ranges = peers.filter(peer => peer.includes('/'))
    const ipv6 = ranges.filter(range => range.includes(':'))
    const ipv4 = ranges.filter(range => !range.includes(':'))
    return {
      IpProtocol: first?.protocol,
      ...(first?.from !== undefined && { FromPort: first.from, ToPort: first.to }),
      ...(ipv4.length > 0 && { IpRanges: ipv4.map(CidrIp => ({ CidrIp })) }),
      ...(ipv6.length > 0 && { Ipv6Ranges: ipv6.map(CidrIpv6 => ({ CidrIpv6 })) }),
      ...(groups.length > 0 && { UserIdGroupPairs: groups.map(GroupId => ({ GroupId })) }),
      ...(lists.length > 0 && { PrefixListIds: lists.map(PrefixListId => ({ PrefixListId })) }),
    }
  })
}
