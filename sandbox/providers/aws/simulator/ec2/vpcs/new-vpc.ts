import { associatedBefore } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { defaultDhcpOptions } from '../dhcp-options/default-options.ts'
import { newDefaultAcl } from '../network-acls/new-acl.ts'
import { newRouteTable } from '../route-tables/new-route-table.ts'
import type { Ipv6Association, Vpc } from '../rows/network.ts'
import type { Ec2Tag } from '../rows/resource.ts'
import { newDefaultGroup } from '../security-groups/new-group.ts'

export interface VpcToMake {
  /** Canonical. */
  readonly cidr: string
  readonly tenancy: Vpc['tenancy']
  readonly tags: readonly Ec2Tag[]
  readonly ipv6: Ipv6Association | undefined
  readonly isDefault?: boolean
}

/**
 * Creates a VPC with AWS's default components: a main route table, a network ACL and a security group ("Default VPC
 * components", VPC user guide).
 */
export const newVpc = (ec2: Ec2, { cidr, tenancy, tags, ipv6, isDefault = false }: VpcToMake): Vpc => {
  const vpc: Vpc = {
    ...ec2.newResource('vpc', tags),
    blocks: [{ id: ec2.newId('vpc-cidr-assoc'), cidr, since: associatedBefore(ec2) }],
    ipv6Blocks: ipv6 ? [ipv6] : [],
    dhcpOptionsId: defaultDhcpOptions(ec2).id,
    tenancy,
    isDefault,
    dnsSupport: true,
    dnsHostnames: isDefault,
    addressUsageMetrics: false,
  }
  ec2.tables.vpcs.put(vpc)
  newRouteTable(ec2, vpc.id, [], { main: true })
  newDefaultAcl(ec2, vpc)
  newDefaultGroup(ec2, vpc)
  return vpc
}
