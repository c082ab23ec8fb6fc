import { markTag, objectTag } from '../../../../terraform-free-infra/aws/account/tags/mark-tag.ts'
import { type IngressBlock, ingressRanges } from './ingress-ranges.ts'
import { type Rule, sshRule } from './rules.ts'

/** What a Bastion asks for, as far as it can be said without asking AWS. */
export interface DesiredBastion {
  /** Of the Bastion; the value of its mark. */
  readonly uid: string
  /** Namespace and name: `shoot--foo--bar/cli-abc`. A recreated Bastion shares them with its predecessor. */
  readonly object: string
  readonly names: BastionNames
  /** CIDRs that may connect, as security groups take them. */
  readonly ranges: readonly string[]
  /** As base64. */
  readonly userData: string
  readonly ipv6: boolean
}

/** Names of what is there for a Bastion (docs/contract/provider-aws.md#bastion). */
export interface BastionNames {
  readonly instance: string
  readonly group: string
  /** Of the nodes, which the infrastructure makes. */
  readonly workerGroup: string
  /** Which the infrastructure makes. */
  readonly subnet: string
}

export interface BastionIdentity {
  /** Of the Cluster: the namespace of the shoot. */
  readonly clusterName: string
  readonly name: string
  readonly uid: string
  /** As base64. */
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

/** Of the group, as the Go extension writes it. */
export const groupDescription = 'Bastion security group'

/** All rules of the bastion's own group: SSH in from the ranges, SSH out to the nodes. */
export const groupRules = ({ ranges }: DesiredBastion, workerGroupId: string): readonly Rule[] => [
  ...ranges.map(range => sshRule('ingress', range)),
  sshRule('egress', workerGroupId),
]

/** Which stay for as long as the thing does: a Bastion has no state that could say whose a thing is. */
export const tagsFor = (
  { uid, object }: Pick<DesiredBastion, 'uid' | 'object'>,
  name: string,
): Readonly<Record<string, string>> => ({
  Name: name,
  [markTag]: uid,
  [objectTag]: object,
})
