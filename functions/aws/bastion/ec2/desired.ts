import type { SecurityRule } from '../../../../terraform-free-infra/aws/account/security-groups/security-rule.ts'
import { markTag, objectTag } from '../../../../terraform-free-infra/aws/account/tags/mark-tag.ts'
import { type IngressBlock, ingressRanges } from '../../../../terraform-free-infra/cloud/ingress-ranges.ts'

/** The desired state of a Bastion, as far as it is known without AWS. */
export interface DesiredBastion {
  /** The uid of the Bastion; the value of its mark. */
  readonly uid: string
  /** Namespace and name: `shoot--foo--bar/cli-abc`. A recreated Bastion shares them with its predecessor. */
  readonly object: string
  readonly names: BastionNames
  /** CIDRs that may connect, in the format of security groups. */
  readonly ranges: readonly string[]
  /** Base64. */
  readonly userData: string
  readonly ipv6: boolean
}

/** Names of the resources of a Bastion (docs/contract/provider-aws.md#bastion). */
export interface BastionNames {
  readonly instance: string
  readonly group: string
  /** The security group of the nodes, which the infrastructure creates. */
  readonly workerGroup: string
  /** The subnet, which the infrastructure creates. */
  readonly subnet: string
}

export interface BastionIdentity {
  /** The name of the Cluster: the namespace of the shoot. */
  readonly clusterName: string
  readonly name: string
  readonly uid: string
  /** Base64. */
  readonly userData: string
  readonly ingress: readonly IngressBlock[]
  readonly ipFamilies: readonly string[]
}

export const bastionNames = ({
  clusterName,
  name,
}: Pick<BastionIdentity, 'clusterName' | 'name'>): BastionNames => ({
  instance: `${clusterName}-${name}-bastion`,
  group: `${clusterName}-${name}-bsg`,
  workerGroup: `${clusterName}-nodes`,
  subnet: `${clusterName}-public-utility-z0`,
})

export const desiredBastion = ({
  clusterName,
  name,
  uid,
  userData,
  ingress,
  ipFamilies,
}: BastionIdentity): DesiredBastion => ({
  uid,
  object: `${clusterName}/${name}`,
  names: bastionNames({ clusterName, name }),
  ranges: ingressRanges(ingress),
  userData,
  ipv6: ipFamilies.includes('IPv6'),
})

/** The description of the group, as in the Go extension. */
export const groupDescription = 'Bastion security group'

/** Returns all rules of the bastion's own group: SSH in from the ranges, SSH out to the nodes. */
export const groupRules = ({ ranges }: DesiredBastion, workerGroupId: string): readonly SecurityRule[] => [
  ...ranges.map(range => sshRule('ingress', range)),
  sshRule('egress', workerGroupId),
]

export const sshRule = (direction: SecurityRule['direction'], peer: string): SecurityRule => ({
  direction,
  protocol: 'tcp',
  ports: '22',
  peer,
})

/** Returns the range of a rule that lets in SSH from addresses, or undefined for any other rule. */
export const rangeOf = ({ direction, protocol, ports, peer }: SecurityRule): string | undefined =>
  direction === 'ingress' &&
  protocol === 'tcp' &&
  ports === '22' &&
  peer.includes('/') &&
  !peer.includes('sg-')
    ? peer
    : undefined

/** Returns tags that stay for the lifetime of a resource. They prove the owner, even if the state is lost. */
export const tagsFor = (
  { uid, object }: Pick<DesiredBastion, 'uid' | 'object'>,
  name: string,
): Readonly<Record<string, string>> => ({ Name: name, [markTag]: uid, [objectTag]: object })
