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

export interface ZoneSubnets {
  readonly workers: SubnetRanges | undefined
  readonly internal: SubnetRanges | undefined
  readonly public: SubnetRanges | undefined
}

/**
 * Returns the rules of the nodes' group (docs/contract/provider-aws.md#rules-of-the-nodes-group), with the actual CIDRs
 * of the subnets.
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

/** Properties that distinguish our rules from foreign ones. */
export interface RuleMarks {
  /** CIDR blocks of the VPC. */
  readonly vpc: readonly string[]
  /** CIDR blocks of its subnets. */
  readonly subnets: ReadonlySet<string>
  /** True if rules for NFS are desired. */
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
 * Returns true if a rule may be or have been one of ours: its ports and peer are in the table, and a CIDR is either all
 * addresses or a range of the VPC. A rule of a range has no description, because we never write one. All other rules of
 * the group are foreign (docs/decisions/0018).
 */
export const isOurShape = (rule: FoundRule, { vpc, subnets, nfs }: RuleMarks): boolean => {
  const { direction, protocol, ports, peer, described } = rule
  const isAny = anyAddress.includes(peer)
  const isItself = peer === 'itself'
  if (protocol === 'all') return ports === '' && (isItself || (direction === 'egress' && isAny))
  if (direction === 'egress' || isItself) return false
  // A desired rule counts as existing even with a description, because AWS would treat it as a duplicate.
  const inVpc = (desiredValue: boolean) =>
    described ? desiredValue && subnets.has(peer) : vpc.some(range => isInside(peer, range))
  if (ports === nodePorts) return isAny || inVpc(true)
  return ports === nfsPort && protocol === 'tcp' && inVpc(nfs)
}
