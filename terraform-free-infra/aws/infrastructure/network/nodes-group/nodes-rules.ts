import type { Subnet, Vpc } from '@aws-sdk/client-ec2'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { isInside } from '../subnets/ipv6-blocks.ts'
import { type FoundRule, ruleName, type SecurityRule } from './security-rules.ts'

const nodePorts = '30000-32767'
const nfsPort = '2049-2049'
const anyAddress: readonly string[] = ['0.0.0.0/0', '::/0']

interface SubnetRanges {
  readonly cidr: string | undefined
  readonly ipv6: string | undefined
}

/** The CIDRs of the subnets of a zone, as far as it has them. */
export interface ZoneSubnets {
  readonly workers: SubnetRanges | undefined
  readonly internal: SubnetRanges | undefined
  readonly public: SubnetRanges | undefined
}

/**
 * The rules of the nodes' group (docs/contract/provider-aws.md#rules-of-the-nodes-group), with the CIDRs that the
 * subnets really have.
 */
export const nodesRules = (
  { ipFamilies, efa, fileSystem }: Pick<DesiredInfrastructure, 'ipFamilies' | 'efa' | 'fileSystem'>,
  zones: readonly ZoneSubnets[],
): Readonly<Record<string, true>> => {
  const families = ipFamilies.map(family => (family === 'IPv4' ? '0.0.0.0/0' : '::/0'))
  const cidrsOf = (subnet: SubnetRanges | undefined) => [
    ...(ipFamilies.includes('IPv4') && subnet?.cidr !== undefined ? [subnet.cidr] : []),
    ...(ipFamilies.includes('IPv6') && subnet?.ipv6 !== undefined ? [subnet.ipv6] : []),
  ]
  const balanced = [...families, ...zones.flatMap(zone => [zone.internal, zone.public].flatMap(cidrsOf))]
  const rules: readonly SecurityRule[] = [
    { direction: 'ingress', protocol: 'all', ports: '', peer: 'itself' },
    ...balanced.flatMap(peer =>
      (['tcp', 'udp'] as const).map(
        protocol => ({ direction: 'ingress', protocol, ports: nodePorts, peer }) as const,
      ),
    ),
    ...(fileSystem === undefined ? [] : zones.flatMap(({ workers }) => cidrsOf(workers))).map(
      peer => ({ direction: 'ingress', protocol: 'tcp', ports: nfsPort, peer }) as const,
    ),
    ...[...families, ...(efa ? ['itself'] : [])].map(
      peer => ({ direction: 'egress', protocol: 'all', ports: '', peer }) as const,
    ),
  ]
  return Object.fromEntries(rules.map(rule => [ruleName(rule), true]))
}

/** What tells our rules from those of others. */
export interface RuleMarks {
  /** CIDR blocks of the VPC. */
  readonly vpc: readonly string[]
  /** CIDR blocks of its subnets. */
  readonly subnets: ReadonlySet<string>
  /** Whether rules are desired for NFS. */
  readonly nfs: boolean
}

export const ruleMarks = (
  { fileSystem }: Pick<DesiredInfrastructure, 'fileSystem'>,
  vpcs: readonly Vpc[],
  subnets: readonly Subnet[],
): RuleMarks => ({
  vpc: vpcs.flatMap(vpc =>
    [
      vpc.CidrBlock,
      ...(vpc.CidrBlockAssociationSet ?? []).map(({ CidrBlock }) => CidrBlock),
      ...(vpc.Ipv6CidrBlockAssociationSet ?? []).map(({ Ipv6CidrBlock }) => Ipv6CidrBlock),
    ].filter(cidr => cidr !== undefined),
  ),
  subnets: new Set(
    subnets.flatMap(({ CidrBlock, Ipv6CidrBlockAssociationSet = [] }) =>
      [CidrBlock, ...Ipv6CidrBlockAssociationSet.map(({ Ipv6CidrBlock }) => Ipv6CidrBlock)].filter(
        cidr => cidr !== undefined,
      ),
    ),
  ),
  nfs: fileSystem !== undefined,
})

/**
 * Whether a rule looks like one of the table, so that it may be desired now or before: the ports and the
 * peers are the table's, and a CIDR is all addresses or a range of the VPC to which nobody has written a description,
 * which we never do. Whatever else stands in the group is somebody else's (docs/decisions/0018).
 */
export const isOurShape = (rule: FoundRule, { vpc, subnets, nfs }: RuleMarks): boolean => {
  const { direction, protocol, ports, peer, described } = rule
  const isAny = anyAddress.includes(peer)
  const isItself = peer === 'itself'
  if (protocol === 'all') return ports === '' && (isItself || (direction === 'egress' && isAny))
  if (direction === 'egress' || isItself) return false
  // What is desired is there whatever is written to it: AWS would take it for a duplicate.
  const inVpc = (desiredValue: boolean) =>
    described ? desiredValue && subnets.has(peer) : vpc.some(range => isInside(peer, range))
  if (ports === nodePorts) return isAny || inVpc(true)
  return ports === nfsPort && protocol === 'tcp' && inVpc(nfs)
}
