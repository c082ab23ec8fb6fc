import {
  type AddressRange,
  contains,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
  sizeOf,
  subrange,
} from '../core/cidrs/cidr.ts'
import { rangesOf } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import type { Subnet } from '../rows/network.ts'

/** AWS reserves the first four addresses and the last ("Subnet CIDR blocks", VPC user guide). */
const reservedAtStart = 4n
const reserved = 5n

const interfacesIn = (ec2: Ec2, subnet: Subnet) => ec2.tables.networkInterfaces.by('subnet-id', subnet.id)

const reservations = (ec2: Ec2, subnet: Subnet): readonly AddressRange[] =>
  ec2.tables.subnetReservations.by('subnet-id', subnet.id).flatMap(({ cidr }) => parseCidr(cidr) ?? [])

/** `AvailableIpAddressCount`: the free addresses of the subnet's IPv4 block. */
export const freeIpv4Count = (ec2: Ec2, subnet: Subnet): number => {
  const cidr = parseCidr(subnet.cidr)
  if (!cidr) return 0
  const used = interfacesIn(ec2, subnet).reduce((count, { ipv4 }) => count + ipv4.length, 0)
  const setAside = reservations(ec2, subnet)
    .filter(({ family }) => family === 4)
    .reduce((count, range) => count + Number(sizeOf(range)), 0)
  return Number(sizeOf(cidr) - reserved) - used - setAside
}

/** Returns the number of addresses that a subnet can assign. */
const givenOut = (cidr: AddressRange): bigint => sizeOf(cidr) - reserved

/**
 * Returns free IPv4 addresses; fewer than wanted if the subnet is full. The search starts after the last assigned
 * address, so a freed address is not reused at once. AWS hardly ever reuses one either.
 */
export const freeIpv4 = (ec2: Ec2, subnet: Subnet, wanted: number): readonly string[] => {
  const cidr = parseCidr(subnet.cidr)
  if (!cidr) return []
  const count = givenOut(cidr)
  const start = BigInt(ec2.state.ipv4Cursors?.[subnet.id] ?? 0)
  const taken = new Set(interfacesIn(ec2, subnet).flatMap(({ ipv4 }) => ipv4))
  const aside = reservations(ec2, subnet)
  const found: string[] = []
  for (let step = 0n; step < count && found.length < wanted; step += 1n) {
    const address = cidr.address + reservedAtStart + ((start + step) % count)
    const text = formatAddress(4, address)
    if (taken.has(text) || aside.some(range => contains(range, { family: 4, address, prefix: 32 }))) continue
    found.push(text)
  }
  return found
}

/** Sets the address after which the next search starts. */
export const goPastIpv4 = (ec2: Ec2, subnet: Subnet, given: string): void => {
  const cidr = parseCidr(subnet.cidr)
  const parsed = parseAddress(given)
  if (!cidr || !parsed) return
  const offset = parsed.address - cidr.address - reservedAtStart
  ec2.state.ipv4Cursors ??= {}
  ec2.state.ipv4Cursors[subnet.id] = Number((offset + 1n) % givenOut(cidr))
}

/** Returns true if a subnet can assign the address. */
export const isInSubnet = (subnet: Subnet, address: string): boolean => {
  const parsed = parseAddress(address)
  if (!parsed) return false
  const texts = [subnet.cidr, ...subnet.ipv6Blocks.map(({ cidr }) => cidr)]
  const cidr = texts
    .flatMap(text => parseCidr(text) ?? [])
    .find(range => contains(range, { ...parsed, prefix: parsed.family === 4 ? 32 : 128 }))
  if (!cidr) return false
  const offset = parsed.address - cidr.address
  return offset >= reservedAtStart && offset < sizeOf(cidr) - 1n
}

/**
 * Returns free IPv6 addresses. EC2 picks them at random; here they depend on the order of creation, so a run can be
 * repeated.
 */
export const freeIpv6 = (ec2: Ec2, subnet: Subnet, wanted: number): readonly string[] => {
  const [range] = rangesOf(ec2, subnet.ipv6Blocks)
  if (!range) return []
  const taken = new Set(interfacesIn(ec2, subnet).flatMap(({ ipv6 }) => ipv6))
  const found: string[] = []
  for (let index = 1n; found.length < wanted; index += 1n) {
    // An odd factor visits the whole range without repeating an address.
    const offset = (index * 0x9e37_79b9_7f4a_7c15n) % sizeOf(range)
    const text = formatAddress(6, range.address + offset)
    if (!taken.has(text)) found.push(text)
  }
  return found
}

/** Returns free /80 prefixes of a subnet ("Assign prefixes to network interfaces", EC2 user guide). */
export const freeIpv6Prefixes = (ec2: Ec2, subnet: Subnet, wanted: number): readonly string[] => {
  const [range] = rangesOf(ec2, subnet.ipv6Blocks)
  if (!range) return []
  const taken = new Set(interfacesIn(ec2, subnet).flatMap(({ ipv6Prefixes }) => ipv6Prefixes))
  const aside = reservations(ec2, subnet)
  const found: string[] = []
  const count = sizeOf(range) / sizeOf({ ...range, prefix: 80 })
  for (let index = 1n; index < count && found.length < wanted; index += 1n) {
    const prefix = subrange(range, 80, index)
    if (taken.has(formatCidr(prefix)) || aside.some(other => contains(prefix, other))) continue
    found.push(formatCidr(prefix))
  }
  return found
}
