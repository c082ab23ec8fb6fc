import { orderedFailure } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { associateWithDefaultAcl } from '../network-acls/new-acl.ts'
import type { Subnet } from '../rows/network.ts'
import type { Ec2Tag } from '../rows/resource.ts'

export interface SubnetToMake {
  readonly vpcId: string
  readonly zone: string
  /** Canonical, as `ipv6` is. */
  readonly cidr: string | undefined
  readonly ipv6: string | undefined
  readonly ipv6Native: boolean
  readonly tags: readonly Ec2Tag[]
  readonly isDefault?: boolean
}

export const newSubnet = (ec2: Ec2, subnet: SubnetToMake): Subnet => {
  const { vpcId, zone, cidr, ipv6, ipv6Native, tags, isDefault = false } = subnet
  const row: Subnet = {
    ...ec2.newResource('subnet', tags),
    vpcId,
    zone,
    cidr,
    ipv6Blocks:
      ipv6 === undefined
        ? []
        : [
            {
              id: ec2.newId('subnet-cidr-assoc'),
              cidr: ipv6,
              since: ec2.now,
              ...orderedFailure(ec2, 'subnet'),
            },
          ],
    ipv6Native,
    isDefault,
    mapPublicIp: isDefault,
    // An IPv6-only subnet can assign only IPv6 addresses ("Subnet attributes", VPC user guide).
    assignIpv6: ipv6Native,
    dns64: false,
    hostnameType: ipv6Native ? 'resource-name' : 'ip-name',
    aRecord: false,
    aaaaRecord: false,
  }
  ec2.tables.subnets.put(row)
  associateWithDefaultAcl(ec2, vpcId, row.id)
  return row
}
