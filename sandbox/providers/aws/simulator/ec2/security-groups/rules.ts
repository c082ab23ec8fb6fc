import type { IpPermission } from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import { invalidValue } from '../core/refusals.ts'
import type { SecurityGroup, SecurityGroupRule } from '../rows/network.ts'
import type { Ec2Tag } from '../rows/resource.ts'
import { peerKey, peersOf } from './peers.ts'

/** A rule without an id. */
export type RuleDraft = Omit<SecurityGroupRule, 'id'>

const names: Readonly<Record<string, string>> = { '1': 'icmp', '6': 'tcp', '17': 'udp', '58': 'icmpv6' }

const protocolOf = (text: string | undefined): string => {
  const protocol = (text ?? '').toLowerCase()
  if (['-1', 'all'].includes(protocol)) return '-1'
  if (['tcp', 'udp', 'icmp', 'icmpv6'].includes(protocol)) return protocol
  if (/^\d{1,3}$/.test(protocol) && Number(protocol) <= 255) return names[protocol] ?? protocol
  throw invalidValue(`Invalid value '${text}' for IP protocol. Unknown protocol.`)
}

const badRange = (reason: string) => invalidValue(`Invalid value '${reason}' for portRange.`)

type Ports = Pick<SecurityGroupRule, 'from' | 'to'>

/** Returns ports (TCP and UDP) or type and code (ICMP). Other protocols have neither. */
const portsOf = (protocol: string, { FromPort: from, ToPort: to }: IpPermission): Ports => {
  switch (protocol) {
    case 'tcp':
    case 'udp': {
      if (from === undefined || to === undefined) {
        throw badRange('Must specify both from and to ports with TCP/UDP.')
      }
      // -1 means all ports.
      if (from === -1 && to === -1) return { from: 0, to: 65_535 }
      if (from < 0 || to > 65_535 || from > to) {
        throw invalidValue(
          `Invalid value '${from}-${to}' for portRange. TCP and UDP ports must be between 0 and 65535, the first not above the last.`,
        )
      }
      return { from, to }
    }
    case 'icmp':
    case 'icmpv6':
      return { from: from ?? -1, to: to ?? -1 }
    default:
      return {}
  }
}

/** `peer: 0.0.0.0/0, TCP, from port: 22, to port: 22, ALLOW` */
export const ruleText = ({ peer, protocol, from, to }: RuleDraft): string => {
  const ports = from === undefined ? '' : `, from port: ${from}, to port: ${to}`
  return `peer: ${peerKey(peer)}, ${protocol === '-1' ? 'ALL' : protocol.toUpperCase()}${ports}, ALLOW`
}

/** A key that identifies a rule of a group. The description is not part of it. */
export const ruleKey = ({ egress, protocol, from, to, peer }: RuleDraft): string =>
  [egress, protocol, from ?? '', to ?? '', peer.type, peerKey(peer)].join(' ')

/**
 * Returns the rules of permissions, each with one peer.
 *
 * @throws AwsError for protocols, ports and peers that EC2 refuses
 */
export const rulesOf = (
  ec2: Ec2,
  group: SecurityGroup,
  permissions: readonly IpPermission[],
  egress: boolean,
  tags: readonly Ec2Tag[] = [],
): readonly RuleDraft[] =>
  permissions.flatMap(permission => {
    const protocol = protocolOf(permission.IpProtocol)
    const ports = portsOf(protocol, permission)
    const peers = peersOf(ec2, group, permission)
    return peers.map(({ peer, description }) => ({ egress, protocol, ...ports, peer, description, tags }))
  })
