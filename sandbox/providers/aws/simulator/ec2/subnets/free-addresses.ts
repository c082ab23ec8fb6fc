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

/** The first four addresses and the last are AWS's ("Subnet CIDR blocks", VPC user guide). */
const reservedAtStart = 4n
const reserved = 5n

const interfacesIn = (ec2: Ec2, subnet: Subnet) => ec2.tables.networkInterfaces.by('subnet-id', subnet.id)

const reservations = (ec2: Ec2, subnet: Subnet): readonly AddressRange[] =>
  ec2.tables.subnetReservations.by('subnet-id', subnet.id).flatMap(({ cidr }) => parseCidr(cidr) ?? [])

/** `AvailableIpAddressCount`: what is left of the subnet's IPv4 block. */
export const freeIpv4Count = (ec2: Ec2, subnet: Subnet): number => {
  const cidr = parseCidr(subnet.cidr)
  if (!cidr) return 0
  const used = interfacesIn(ec2, subnet).reduce((count, { ipv4 }) => count + ipv4.length, 0)
  const setAside = reservations(ec2, subnet)
    .filter(({ family }) => family === 4)
    .reduce((count, range) => count + Number(sizeOf(range)), 0)
  return Number(sizeOf(cidr) - reserved) - used - setAside
}

/** How many addresses of its own a subnet gives out at most. */
const givenOut = (cidr: AddressRange): bigint => sizeOf(cidr) - reserved

/**
 * IPv4 addresses that nobody has; fewer than wanted if the subnet is full. They go on after the one that was given out
 * last: what is set free is not given out again at once, as with AWS, where it hardly ever is.
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

/** The next free address comes after this one. */
export const goPastIpv4 = (ec2: Ec2, subnet: Subnet, given: string): void => {
  const cidr = parseCidr(subnet.cidr)
  const parsed = parseAddress(given)
  if (!cidr || !parsed) return
  const offset = parsed.address - cidr.address - reservedAtStart
  ec2.state.ipv4Cursors ??= {}
  ec2.state.ipv4Cursors[subnet.id] = Number((offset + 1n) % givenOut(cidr))
}

/** Whether an address is one that a subnet gives out. */
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
 * IPv6 addresses that nobody has. EC2 picks them at random; here they are spread by the order of creation,
 * so that a run can be repeated.
 */
export const freeIpv6 = (ec2: Ec2, subnet: Subnet, wanted: number): readonly string[] => {
  const [range] = rangesOf(ec2, subnet.ipv6Blocks)
  if (!range) return []
  const taken = new Set(interfacesIn(ec2, subnet).flatMap(({ ipv6 }) => ipv6))
  const found: string[] = []
  for (let index = 1n; found.length < wanted; index += 1n) {
    // An odd factor walks through the whole range without coming back to the same address.
    const offset = (index * 0x9e37_79b9_7f4a_7c15n) % sizeOf(range)
    const text = formatAddress(6, range.address + offset)
    if (!taken.has(text)) found.push(text)
  }
  return found
}

/** Free /80 prefixes of a subnet ("Assign prefixes to network interfaces", EC2 user guide). */
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
