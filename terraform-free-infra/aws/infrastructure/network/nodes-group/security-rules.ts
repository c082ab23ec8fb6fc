import type { IpPermission } from '@aws-sdk/client-ec2'

/** One rule of a security group: a range of ports and one peer. */
export interface SecurityRule {
  readonly direction: 'ingress' | 'egress'
  readonly protocol: 'tcp' | 'udp' | 'all'
  /** `30000-32767`. Empty: all. */
  readonly ports: string
  /** A CIDR, or `itself`. */
  readonly peer: string
}

/** Returns a rule as an attribute: `ingress tcp 30000-32767 0.0.0.0/0`, `egress all itself`. */
export const ruleName = ({ direction, protocol, ports, peer }: SecurityRule): string =>
  [direction, protocol, ...(ports === '' ? [] : [ports]), peer].join(' ')

/** Returns the rule of an attribute, or undefined for other attributes. */
export const ruleOf = (attribute: string): SecurityRule | undefined => {
  const match = /^(ingress|egress) (tcp|udp|all) (?:(\d+-\d+) )?(\S+)$/.exec(attribute)
  if (match === null) return undefined
  const [, direction, protocol, ports = '', peer = ''] = match
  return {
    direction: direction === 'egress' ? 'egress' : 'ingress',
    protocol: protocol === 'tcp' || protocol === 'udp' ? protocol : 'all',
    ports,
    peer,
  }
}

export interface FoundRule extends SecurityRule {
  /** True if the rule has a description. */
  readonly described: boolean
}

/** Returns the rules of a group with a CIDR or the group itself as peer. EC2 groups those of equal ports. */
export const rulesIn = (
  groupId: string,
  direction: SecurityRule['direction'],
  permissions: readonly IpPermission[] = [],
): readonly FoundRule[] =>
  permissions.flatMap((permission): readonly FoundRule[] => {
    const protocol = protocolOf(permission.IpProtocol)
    if (protocol === undefined) return []
    const ports = protocol === 'all' ? '' : `${permission.FromPort}-${permission.ToPort}`
    const rule = (peer: string, description: string | undefined): FoundRule => ({
      direction,
      protocol,
      ports,
      peer,
      described: (description ?? '') !== '',
    })
    return [
      ...(permission.IpRanges ?? []).map(range => rule(range.CidrIp ?? '', range.Description)),
      ...(permission.Ipv6Ranges ?? []).map(range => rule(range.CidrIpv6 ?? '', range.Description)),
      ...(permission.UserIdGroupPairs ?? [])
        .filter(({ GroupId }) => GroupId === groupId)
        .map(({ Description }) => rule('itself', Description)),
    ]
  })

const protocolOf = (protocol: string | undefined): SecurityRule['protocol'] | undefined => {
  if (protocol === '-1') return 'all'
  return protocol === 'tcp' || protocol === 'udp' ? protocol : undefined
}

/** Returns the permissions of rules for one call: one per protocol and ports. */
export const permissionsFor = (groupId: string, rules: readonly SecurityRule[]): IpPermission[] => {
  const groups = new Map<string, SecurityRule[]>()
  for (const rule of rules) {
    const key = `${rule.protocol} ${rule.ports}`
    groups.set(key, [...(groups.get(key) ?? []), rule])
  }
  return [...groups.values()].map(alike => {
    const [{ protocol, ports } = { protocol: 'all', ports: '' }] = alike
    const [from, to] = ports.split('-').map(Number)
    const peers = alike.map(({ peer }) => peer)
    const ipv6 = peers.filter(peer => peer.includes(':'))
    const ipv4 = peers.filter(peer => peer !== 'itself' && !peer.includes(':'))
    return {
      IpProtocol: protocol === 'all' ? '-1' : protocol,
      ...(ports !== '' && { FromPort: from, ToPort: to }),
      ...(ipv4.length > 0 && { IpRanges: ipv4.map(CidrIp => ({ CidrIp })) }),
      ...(ipv6.length > 0 && { Ipv6Ranges: ipv6.map(CidrIpv6 => ({ CidrIpv6 })) }),
      ...(peers.includes('itself') && { UserIdGroupPairs: [{ GroupId: groupId }] }),
    }
  })
}
