import { refuse } from '../../service.ts'
import { rangesOf } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { checkLimit, invalidCombination } from '../core/refusals.ts'
import type { Attachment, NetworkInterface, SecurityGroup, Subnet } from '../rows/network.ts'
import type { Ec2Tag } from '../rows/resource.ts'
import { freeIpv4, freeIpv6, freeIpv6Prefixes, goPastIpv4 } from '../subnets/free-addresses.ts'

export interface InterfaceToMake {
  readonly subnet: Subnet
  /** Absent: the VPC's default group. */
  readonly groupIds?: readonly string[] | undefined
  readonly description?: string | undefined
  readonly type?: string | undefined
  readonly tags?: readonly Ec2Tag[]
  /** The exact addresses of the interface, primary first. */
  readonly ipv4?: readonly string[] | undefined
  /** Number of addresses in addition to the primary one. */
  readonly secondaryIpv4Count?: number | undefined
  readonly ipv6?: readonly string[] | undefined
  readonly ipv6Count?: number | undefined
  readonly ipv6Prefixes?: readonly string[] | undefined
  readonly ipv6PrefixCount?: number | undefined
  readonly primaryIpv6?: boolean | undefined
  readonly requester?: string | undefined
  readonly attachment?: Attachment | undefined
  readonly publicIp?: string | undefined
  readonly sourceDestCheck?: boolean
}

const subnetFull = () =>
  refuse(
    'InsufficientFreeAddressesInSubnet',
    'The specified subnet does not have enough free addresses to satisfy the request.',
  )

const taken = (address: string) =>
  refuse('InvalidIPAddress.InUse', `The specified address is already in use: ${address}`)

const checkAddress = (ec2: Ec2, subnet: Subnet, address: string): void => {
  const others = ec2.tables.networkInterfaces.by('subnet-id', subnet.id)
  if (others.some(({ ipv4, ipv6 }) => ipv4.includes(address) || ipv6.includes(address))) throw taken(address)
}

const ipv4For = (
  ec2: Ec2,
  { subnet, type, ipv4 = [], secondaryIpv4Count = 0 }: InterfaceToMake,
): readonly string[] => {
  if (subnet.cidr === undefined || type === fabricOnly) return []
  for (const address of ipv4) checkAddress(ec2, subnet, address)
  const wanted = secondaryIpv4Count + (ipv4.length === 0 ? 1 : 0)
  const free = freeIpv4(ec2, subnet, wanted + ipv4.length)
    .filter(address => !ipv4.includes(address))
    .slice(0, wanted)
  if (free.length < wanted) throw subnetFull()
  return [...ipv4, ...free]
}

/** The type of an interface without IP addresses ("Create and attach an Elastic Fabric Adapter", EC2 user guide). */
const fabricOnly = 'efa-only'

const checkFabricOnly = (wanted: InterfaceToMake): void => {
  if (wanted.type !== fabricOnly) return
  const { ipv4 = [], ipv6 = [], ipv6Prefixes = [], secondaryIpv4Count, ipv6Count, ipv6PrefixCount } = wanted
  const named = ipv4.length + ipv6.length + ipv6Prefixes.length
  if (named + (secondaryIpv4Count ?? 0) + (ipv6Count ?? 0) + (ipv6PrefixCount ?? 0) === 0) return
  throw invalidCombination('IP addresses cannot be assigned to a network interface of type efa-only.')
}

const needsIpv6 = (ec2: Ec2, subnet: Subnet): void => {
  if (rangesOf(ec2, subnet.ipv6Blocks).length > 0) return
  throw refuse(
    'InvalidParameterValue',
    `The subnet ${subnet.id} does not have an IPv6 CIDR block associated with it.`,
  )
}

const ipv6For = (ec2: Ec2, { subnet, type, ipv6 = [], ipv6Count }: InterfaceToMake): readonly string[] => {
  if (type === fabricOnly) return []
  const wanted = ipv6Count ?? (ipv6.length === 0 && subnet.assignIpv6 ? 1 : 0)
  if (wanted === 0 && ipv6.length === 0) return []
  needsIpv6(ec2, subnet)
  for (const address of ipv6) checkAddress(ec2, subnet, address)
  return [...ipv6, ...freeIpv6(ec2, subnet, wanted)]
}

/** Returns IPv6 prefixes for an interface: the named ones, and the requested number of others. */
export const ipv6PrefixesFor = (
  ec2: Ec2,
  subnet: Subnet,
  named: readonly string[],
  count: number,
): readonly string[] => {
  if (named.length === 0 && count === 0) return []
  needsIpv6(ec2, subnet)
  const free = freeIpv6Prefixes(ec2, subnet, count)
  if (free.length < count) throw subnetFull()
  return [...named, ...free]
}

/**
 * Returns the groups of an interface in a subnet.
 *
 * @throws AwsError if a group does not exist or is not in the subnet's VPC
 */
export const groupsFor = (
  ec2: Ec2,
  subnet: Subnet,
  ids: readonly string[] | undefined,
): readonly SecurityGroup[] => {
  if (!ids?.length) {
    return ec2.tables.securityGroups.by('vpc-id', subnet.vpcId).filter(({ name }) => name === 'default')
  }
  const groups = [...new Set(ids)].map(id => find(ec2, 'securityGroups', id))
  const stranger = groups.find(({ vpcId }) => vpcId !== subnet.vpcId)
  if (stranger) {
    throw refuse(
      'InvalidParameter',
      `Security group ${stranger.id} and subnet ${subnet.id} belong to different networks.`,
    )
  }
  if (ec2.limits.groupsPerInterface !== undefined && groups.length > ec2.limits.groupsPerInterface) {
    throw refuse(
      'SecurityGroupsPerInterfaceLimitExceeded',
      'The maximum number of security groups per interface has been reached.',
    )
  }
  return groups
}

const macAddress = (sequence: number): string =>
  ['02', ...(sequence.toString(16).padStart(10, '0').match(/../g) ?? [])].join(':')

/** @throws AwsError if addresses, groups or room are missing; nothing is changed then */
export const newInterface = (ec2: Ec2, wanted: InterfaceToMake): NetworkInterface => {
  const { subnet } = wanted
  const groups = groupsFor(ec2, subnet, wanted.groupIds)
  checkFabricOnly(wanted)
  const ipv4 = ipv4For(ec2, wanted)
  const ipv6 = ipv6For(ec2, wanted)
  const ipv6Prefixes = ipv6PrefixesFor(ec2, subnet, wanted.ipv6Prefixes ?? [], wanted.ipv6PrefixCount ?? 0)
  checkLimit(ec2.tables.networkInterfaces.size, ec2.limits.networkInterfaces, () =>
    refuse('NetworkInterfaceLimitExceeded', 'The maximum number of network interfaces has been reached.'),
  )
  const resource = ec2.newResource('eni', wanted.tags ?? [])
  const row: NetworkInterface = {
    ...resource,
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    zone: subnet.zone,
    description: wanted.description ?? '',
    groupIds: groups.map(({ id }) => id),
    type: wanted.type ?? 'interface',
    ipv4,
    ipv6,
    ipv6Prefixes,
    primaryIpv6: wanted.primaryIpv6 ?? false,
    macAddress: macAddress(resource.sequence),
    sourceDestCheck: wanted.sourceDestCheck ?? true,
    requester: wanted.requester,
    attachment: wanted.attachment,
    publicIp: wanted.publicIp,
  }
  ec2.tables.networkInterfaces.put(row)
  const given = ipv4.findLast(address => !wanted.ipv4?.includes(address))
  if (given !== undefined) goPastIpv4(ec2, subnet, given)
  return row
}
