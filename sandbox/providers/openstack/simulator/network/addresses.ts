import ipaddr from 'ipaddr.js'
import { parseCidr } from '../../../../../terraform-free-infra/cloud/cidr.ts'
import type { KindContext } from '../core/context.ts'
import type { AllocationPool, FixedIp, PortItem, SubnetItem } from '../core/items.ts'
import { neutronRefusal, type ServiceRefusal } from '../core/refusal.ts'

/** Returns an address as a number. Throws for a text that is none. */
export const addressNumber = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((number, byte) => number * 256n + BigInt(byte), 0n)

export const addressText = (number: bigint, family: 4 | 6): string => {
  const length = family === 4 ? 4 : 16
  const bytes = Array.from({ length }, (_, index) =>
    Number((number >> BigInt(8 * (length - 1 - index))) & 255n),
  )
  const address = ipaddr.fromByteArray(bytes)
  return 'toRFC5952String' in address ? address.toRFC5952String() : address.toString()
}

/** The first and the last address of a range. */
export interface SubnetRange {
  readonly first: bigint
  readonly last: bigint
  readonly family: 4 | 6
}

/** Returns undefined for a text that is no range. */
export const rangeOf = (cidr: string): SubnetRange | undefined => {
  const parsed = parseCidr(cidr)
  if (parsed === undefined) return undefined
  const { family, prefix } = parsed
  const first = addressNumber(parsed.network.toString())
  return { first, last: first + (1n << BigInt((family === 4 ? 32 : 128) - prefix)) - 1n, family }
}

export const isInRange = (address: string, cidr: string): boolean => {
  const range = rangeOf(cidr)
  if (range === undefined || !ipaddr.isValid(address)) return false
  const number = addressNumber(address)
  return number >= range.first && number <= range.last
}

/** Returns all usable addresses of a range without the gateway, as Neutron does by default. */
export const defaultPools = (cidr: string, gateway: string | null): readonly AllocationPool[] => {
  const range = rangeOf(cidr)
  if (range === undefined) return []
  const { family } = range
  const first = range.first + 1n
  const last = family === 4 ? range.last - 1n : range.last
  const split = gateway === null ? undefined : addressNumber(gateway)
  const parts: readonly (readonly [bigint, bigint])[] =
    split === undefined || split < first || split > last
      ? [[first, last]]
      : [
          [first, split - 1n],
          [split + 1n, last],
        ]
  return parts
    .filter(([start, end]) => start <= end)
    .map(([start, end]) => ({ start: addressText(start, family), end: addressText(end, family) }))
}

/** Returns the addresses of a subnet that ports have. */
const usedIn = (subnet: SubnetItem, context: KindContext): ReadonlySet<string> =>
  new Set(
    context.store
      .all('port')
      .flatMap(port => port.fixed_ips)
      .filter(ip => ip.subnet_id === subnet.id)
      .map(ip => ip.ip_address),
  )

/** Returns the first free address in the pools of a subnet. */
export const freeAddress = (subnet: SubnetItem, context: KindContext): string | undefined => {
  const used = usedIn(subnet, context)
  for (const { start, end } of subnet.allocation_pools) {
    const last = addressNumber(end)
    for (let number = addressNumber(start); number <= last; number++) {
      const address = addressText(number, subnet.ip_version)
      if (!used.has(address)) return address
    }
  }
  return undefined
}

/** Returns true if the addresses of a subnet follow from those of the hardware. */
const isAutomatic = ({ ipv6_address_mode: mode }: SubnetItem): boolean =>
  mode === 'slaac' || mode === 'dhcpv6-stateless'

/** Modified EUI-64 (RFC 4291, appendix A). */
const automaticAddress = (subnet: SubnetItem, mac: string): string => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac.split(':').map(part => Number.parseInt(part, 16))
  const suffix = [a ^ 2, b, c, 0xff, 0xfe, d, e, f].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return addressText((rangeOf(subnet.cidr)?.first ?? 0n) + suffix, 6)
}

/** A port that needs addresses. */
export type NewPort = Pick<PortItem, 'network_id' | 'mac_address' | 'device_owner'>

/** Returns the addresses of a port that asks for none: one of each family, and all automatic ones. */
export const usualAddresses = (port: NewPort, context: KindContext): readonly FixedIp[] => {
  const subnets = context.store.all('subnet').filter(subnet => subnet.network_id === port.network_id)
  const manual = subnets.filter(subnet => !isAutomatic(subnet))
  const chosen = ([4, 6] as const).flatMap(family => {
    const candidates = manual.filter(subnet => subnet.ip_version === family)
    if (candidates.length === 0) return []
    for (const subnet of candidates) {
      const address = freeAddress(subnet, context)
      if (address !== undefined) return [{ subnet_id: subnet.id, ip_address: address }]
    }
    throw neutronRefusal(
      409,
      'IpAddressGenerationFailure',
      `No more IP addresses available on network ${port.network_id}.`,
    )
  })
  // Gateways of routers to other networks get no automatic address.
  const automatic = port.device_owner.startsWith('network:router') ? [] : subnets.filter(isAutomatic)
  return [
    ...chosen,
    ...automatic.map(subnet => ({
      subnet_id: subnet.id,
      ip_address: automaticAddress(subnet, port.mac_address),
    })),
  ]
}

/** A requested address: a subnet, an address, or both. */
export interface AskedIp {
  readonly subnet_id?: string
  readonly ip_address?: string
}

/** Returns the asked addresses of a port. Throws a refusal. */
export const askedAddresses = (
  port: NewPort,
  asked: readonly AskedIp[],
  context: KindContext,
  own: readonly FixedIp[] = [],
): readonly FixedIp[] => {
  const subnets = context.store.all('subnet').filter(subnet => subnet.network_id === port.network_id)
  return asked.map(({ subnet_id: id, ip_address: address }) => {
    if (id === undefined && address === undefined)
      throw invalidAddress('IP allocation requires subnet_id or ip_address')
    const subnet =
      id === undefined
        ? subnets.find(one => address !== undefined && isInRange(address, one.cidr))
        : subnets.find(one => one.id === id)
    if (subnet === undefined) {
      if (id === undefined)
        throw neutronRefusal(
          400,
          'InvalidIpForNetwork',
          `IP address ${address} is not a valid IP for any of the subnets on the specified network.`,
        )
      throw invalidAddress(
        `Failed to create port on network ${port.network_id}, because fixed_ips included invalid subnet ${id}`,
      )
    }
    if (address === undefined) {
      const kept = own.find(ip => ip.subnet_id === subnet.id)
      if (kept !== undefined) return kept
      if (isAutomatic(subnet))
        return { subnet_id: subnet.id, ip_address: automaticAddress(subnet, port.mac_address) }
      const free = freeAddress(subnet, context)
      if (free === undefined)
        throw neutronRefusal(
          409,
          'IpAddressGenerationFailure',
          `No more IP addresses available for subnet ${subnet.id}.`,
        )
      return { subnet_id: subnet.id, ip_address: free }
    }
    if (!isInRange(address, subnet.cidr))
      throw neutronRefusal(
        400,
        'InvalidIpForSubnet',
        `IP address ${address} is not a valid IP for the specified subnet.`,
      )
    if (isAutomatic(subnet) && !port.device_owner.startsWith('network:'))
      throw neutronRefusal(
        400,
        'AllocationOnAutoAddressSubnet',
        `IPv6 address ${address} cannot be directly assigned to a port on subnet ${subnet.id} as the subnet is configured for automatic addresses`,
      )
    const isOwn = own.some(ip => ip.subnet_id === subnet.id && ip.ip_address === address)
    if (!isOwn && usedIn(subnet, context).has(address))
      throw neutronRefusal(
        409,
        'IpAddressAlreadyAllocated',
        `IP address ${address} already allocated in subnet ${subnet.id}`,
      )
    return { subnet_id: subnet.id, ip_address: address }
  })
}

const invalidAddress = (message: string): ServiceRefusal =>
  neutronRefusal(400, 'InvalidInput', `Invalid input for operation: ${message}.`)
