import type { Subnet, Vpc } from '@aws-sdk/client-ec2'
import { canonicalCidr } from '../../../../cloud/cidr.ts'
import {
  type FoundRule,
  itself,
  type RuleAttributes,
  ruleAttributes,
  type SecurityRule,
} from '../../../account/security-groups/security-rule.ts'
import type { DesiredInfrastructure } from '../../desired-infrastructure.ts'
import { isInside } from '../subnets/ipv6-blocks.ts'

const nodePorts = '30000-32767'
const nfsPort = '2049'
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
): RuleAttributes => {
  const families = ipFamilies.map(family => (family === 'IPv4' ? '0.0.0.0/0' : '::/0'))
  const cidrsOf = (subnet: SubnetRanges | undefined) =>
    [
      ...(ipFamilies.includes('IPv4') && subnet?.cidr !== undefined ? [subnet.cidr] : []),
      ...(ipFamilies.includes('IPv6') && subnet?.ipv6 !== undefined ? [subnet.ipv6] : []),
    ].map(canonicalCidr)
  const balanced = [...families, ...zones.flatMap(zone => [zone.internal, zone.public].flatMap(cidrsOf))]
  const mounting = fileSystem === undefined ? [] : zones.flatMap(({ workers }) => cidrsOf(workers))
  const letIn = (protocol: string, ports: string) => (peer: string) =>
    ({ direction: 'ingress', protocol, ports, peer }) as const
  const rules: readonly SecurityRule[] = [
    letIn('all', '')(itself),
    ...['tcp', 'udp'].flatMap(protocol => balanced.map(letIn(protocol, nodePorts))),
    ...mounting.map(letIn('tcp', nfsPort)),
    ...[...families, ...(efa ? [itself] : [])].map(
      peer => ({ direction: 'egress', protocol: 'all', ports: '', peer }) as const,
    ),
  ]
  return ruleAttributes(rules)
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
      [CidrBlock, ...Ipv6CidrBlockAssociationSet.map(({ Ipv6CidrBlock }) => Ipv6CidrBlock)].flatMap(cidr =>
        cidr === undefined ? [] : canonicalCidr(cidr),
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
  const isItself = peer === itself
  if (protocol === 'all') return ports === '' && (isItself || (direction === 'egress' && isAny))
  if (direction === 'egress' || isItself) return false
  // A desired rule counts as existing even with a description, because AWS would treat it as a duplicate.
  const inVpc = (desiredValue: boolean) =>
    described ? desiredValue && subnets.has(peer) : vpc.some(range => isInside(peer, range))
  if (ports === nodePorts && (protocol === 'tcp' || protocol === 'udp')) return isAny || inVpc(true)
  return ports === nfsPort && protocol === 'tcp' && inVpc(nfs)
}
