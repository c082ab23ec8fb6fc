import type { Ec2 } from '../core/context.ts'
import type { AclEntry, NetworkAcl, Vpc } from '../rows/network.ts'

/** Returns the entries that AWS creates: number 100 for IPv4, 101 for IPv6; 32767 and 32768 deny the rest. */
const entriesFor = (cidr: string, number: number, last: number): readonly AclEntry[] =>
  [true, false].flatMap(egress => [
    { number, egress, allow: true, cidr },
    { number: last, egress, allow: false, cidr },
  ])

const ipv4Entries = entriesFor('0.0.0.0/0', 100, 32_767)
const ipv6Entries = entriesFor('::/0', 101, 32_768)

/** "Default network ACL", VPC user guide. */
export const newDefaultAcl = (ec2: Ec2, vpc: Vpc): void => {
  const acl: NetworkAcl = {
    ...ec2.newResource('acl', []),
    vpcId: vpc.id,
    isDefault: true,
    entries: [...ipv4Entries, ...(vpc.ipv6Blocks.length > 0 ? ipv6Entries : [])],
    associations: [],
  }
  ec2.tables.networkAcls.put(acl)
}

/** Adds IPv6 entries to default ACLs, as AWS does when a VPC gets its first IPv6 block. */
export const addIpv6ToDefaultAcls = (ec2: Ec2, vpcId: string): void => {
  for (const acl of ec2.tables.networkAcls.by('vpc-id', vpcId)) {
    if (!acl.isDefault || acl.entries.some(({ cidr }) => cidr === '::/0')) continue
    ec2.tables.networkAcls.put({ ...acl, entries: [...acl.entries, ...ipv6Entries] })
  }
}

/** Associates a new subnet with its VPC's default ACL. */
export const associateWithDefaultAcl = (ec2: Ec2, vpcId: string, subnetId: string): void => {
  const acl = ec2.tables.networkAcls.by('vpc-id', vpcId).find(({ isDefault }) => isDefault)
  if (!acl) return
  const associations = [...acl.associations, { id: ec2.newId('aclassoc'), subnetId }]
  ec2.tables.networkAcls.put({ ...acl, associations })
}

export const dissociateFromAcls = (ec2: Ec2, subnetId: string): void => {
  for (const acl of ec2.tables.networkAcls.by('association.subnet-id', subnetId)) {
    const associations = acl.associations.filter(association => association.subnetId !== subnetId)
    ec2.tables.networkAcls.put({ ...acl, associations })
  }
}
