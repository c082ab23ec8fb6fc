import type { Ec2 } from '../core/context.ts'
import type { Peer, SecurityGroup, SecurityGroupRule, Vpc } from '../rows/network.ts'
import type { Ec2Tag } from '../rows/resource.ts'

const allFrom = (ec2: Ec2, egress: boolean, peer: Peer): SecurityGroupRule => ({
  id: ec2.newId('sgr'),
  egress,
  protocol: '-1',
  peer,
  tags: [],
})

const anywhere4: Peer = { type: 'ipv4', cidr: '0.0.0.0/0' }
const anywhere6: Peer = { type: 'ipv6', cidr: '::/0' }

export interface GroupToMake {
  readonly name: string
  readonly description: string
  readonly tags: readonly Ec2Tag[]
}

/** Creates a group with AWS's default rule: all outbound traffic is allowed ("Security groups", VPC user guide). */
export const newGroup = (ec2: Ec2, vpc: Vpc, { name, description, tags }: GroupToMake): SecurityGroup => {
  const group: SecurityGroup = {
    ...ec2.newResource('sg', tags),
    vpcId: vpc.id,
    name,
    description,
    rules: [
      allFrom(ec2, true, anywhere4),
      ...(vpc.ipv6Blocks.length > 0 ? [allFrom(ec2, true, anywhere6)] : []),
    ],
  }
  ec2.tables.securityGroups.put(group)
  return group
}

/** Creates the VPC's default group. Its members can reach each other. */
export const newDefaultGroup = (ec2: Ec2, vpc: Vpc): void => {
  const group = newGroup(ec2, vpc, {
    name: 'default',
    description: 'default VPC security group',
    tags: [],
  })
  const self = allFrom(ec2, false, { type: 'group', id: group.id, userId: ec2.accountId })
  ec2.tables.securityGroups.put({ ...group, rules: [self, ...group.rules] })
}

const isUntouched = ({ rules }: SecurityGroup): boolean => {
  const egress = rules.filter(rule => rule.egress)
  const [only] = egress
  return (
    egress.length === 1 && only?.protocol === '-1' && 'cidr' in only.peer && only.peer.cidr === '0.0.0.0/0'
  )
}

/**
 * Adds an IPv6 outbound rule to the groups of a VPC that gets an IPv6 block. AWS does so only for groups with unchanged
 * outbound rules.
 */
export const addIpv6Egress = (ec2: Ec2, vpcId: string): void => {
  for (const group of ec2.tables.securityGroups.by('vpc-id', vpcId)) {
    if (!isUntouched(group)) continue
    ec2.tables.securityGroups.put({ ...group, rules: [...group.rules, allFrom(ec2, true, anywhere6)] })
  }
}
