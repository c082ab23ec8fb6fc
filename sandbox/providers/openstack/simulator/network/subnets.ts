import { isIP } from 'node:net'
import { overlaps, parseCidr } from '../../../../../terraform-free-infra/cloud/cidr.ts'
import type { KindContext } from '../core/context.ts'
import { fixed, fixedOrNull, flag, list, number, text } from '../core/field-types.ts'
import type { SubnetItem, SubnetPoolItem } from '../core/items.ts'
import { type ItemFields, isOwned, type ResourceKind, related } from '../core/kind.ts'
import { neutronRefusal } from '../core/refusal.ts'
import { addressText, defaultPools, isInRange, rangeOf } from './addresses.ts'
import {
  badRequest,
  invalidInput,
  isPublic,
  networkOf,
  noSubnet,
  noSubnetPool,
  standardFields,
} from './refusals.ts'
import { tagActionsOf } from './tags.ts'

export const subnets: ResourceKind<'subnet'> = {
  kind: 'subnet',
  service: 'network',
  collection: 'subnets',
  member: 'subnet',
  list: 'subnets',
  quota: 'subnet',
  fields: {
    name: text(''),
    description: text(''),
    network_id: text(undefined, { required: true, ...fixed }),
    ip_version: number(undefined, { required: true, ...fixed }),
    cidr: text(undefined, fixedOrNull),
    subnetpool_id: text(null, fixedOrNull),
    prefixlen: number(undefined, fixed),
    gateway_ip: text(undefined, { nullable: true }),
    allocation_pools: list(),
    enable_dhcp: flag(true),
    dns_nameservers: list([]),
    host_routes: list([]),
    ipv6_ra_mode: text(null, fixedOrNull),
    ipv6_address_mode: text(null, fixedOrNull),
    service_types: list([]),
  },
  missing: noSubnet,
  isVisible: (subnet, holder, { store }) => {
    const network = store.get('network', subnet.network_id)
    return isOwned(subnet, holder) || (network !== undefined && isPublic(network))
  },
  checkValues: ({ cidr, dns_nameservers: servers }) => {
    if (typeof cidr === 'string' && parseCidr(cidr) === undefined)
      throw invalidInput(`${cidr} is not in a CIDR format`)
    const wrong = (Array.isArray(servers) ? servers : []).find(server => isIP(String(server)) === 0)
    if (wrong !== undefined)
      throw neutronRefusal(
        400,
        'HTTPBadRequest',
        `Invalid input for dns_nameservers. Reason: '${wrong}' is not a valid nameserver. '${wrong}' is not a valid IP address.`,
      )
  },
  build: (fields, context) => {
    const network = networkOf(fields.network_id, context)
    if (!isOwned(network, context.holder))
      throw neutronRefusal(403, 'PolicyNotAuthorized', 'rule:create_subnet is disallowed by policy')
    const cidr = cidrOf(fields, context)
    const { family = 4, prefix = 0, canonical = cidr } = parseCidr(cidr) ?? {}
    if (fields.ip_version !== undefined && fields.ip_version !== family)
      throw invalidInput(`cidr '${cidr}' does not match the ip_version '${fields.ip_version}'`)
    checkModes(fields, family, prefix, cidr)
    checkOverlap(canonical, network.id, context)
    const gateway = gatewayOf(fields, canonical)
    const { prefixlen: _, ...others } = fields
    return {
      ...others,
      prefixlen: undefined,
      ip_version: family,
      cidr: canonical,
      gateway_ip: gateway,
      allocation_pools: fields.allocation_pools ?? defaultPools(canonical, gateway),
      'router:external': network['router:external'],
      ...standardFields(context),
    }
  },
  change: (subnet, fields) => {
    const { gateway_ip: gateway } = fields
    if (typeof gateway === 'string' && !isInRange(gateway, subnet.cidr))
      throw invalidInput('Gateway is not valid on subnet')
    return fields
  },
  view: subnet => ({ ...subnet, tenant_id: subnet.project_id }),
  blockedBy: [
    {
      ...related<'port', 'subnet'>('port', ({ fixed_ips }, { id }) =>
        fixed_ips.some(ip => ip.subnet_id === id),
      ),
      refusal: ({ id }) =>
        neutronRefusal(
          409,
          'SubnetInUse',
          `Unable to complete operation on subnet ${id}: One or more ports have an IP allocation from this subnet.`,
        ),
    },
  ],
  actions: tagActionsOf('subnet'),
}

const cidrOf = (fields: ItemFields, context: KindContext): string => {
  const { cidr, subnetpool_id: pool, prefixlen } = fields
  if (typeof cidr === 'string') {
    if (prefixlen !== undefined)
      throw badRequest('subnets', 'cidr and prefixlen must not be supplied together')
    return cidr
  }
  if (typeof pool !== 'string')
    throw badRequest('subnets', 'a subnetpool must be specified in the absence of a cidr')
  const found = context.store.get('subnetPool', pool)
  if (found === undefined || !(isOwned(found, context.holder) || found.shared)) throw noSubnetPool(pool)
  const family = rangeOf(found.prefixes[0] ?? '')?.family
  if (fields.ip_version !== undefined && fields.ip_version !== family)
    throw badRequest(
      'subnets',
      `Cannot allocate IPv${fields.ip_version} subnet from IPv${family} subnet pool`,
    )
  const isOther = (subnet: SubnetItem) =>
    subnet.network_id === fields.network_id && subnet.ip_version === family && subnet.subnetpool_id !== pool
  if (context.store.all('subnet').some(isOther))
    throw neutronRefusal(
      400,
      'NetworkSubnetPoolAffinityError',
      'Subnets hosted on the same network must be allocated from the same subnet pool.',
    )
  return allocate(found, typeof prefixlen === 'number' ? prefixlen : found.default_prefixlen, context)
}

/** Returns the first range of a pool that no subnet overlaps. */
const allocate = (pool: SubnetPoolItem, prefix: number, { store }: KindContext): string => {
  const used = store
    .all('subnet')
    .filter(subnet => subnet.subnetpool_id === pool.id)
    .flatMap(({ cidr }) => rangeOf(cidr) ?? [])
  for (const text of pool.prefixes) {
    const range = rangeOf(text)
    if (range === undefined) continue
    const size = 1n << BigInt((range.family === 4 ? 32 : 128) - prefix)
    for (let first = range.first; first + size - 1n <= range.last; first += size) {
      const isUsed = used.some(other => other.first < first + size && first <= other.last)
      if (!isUsed) return `${addressText(first, range.family)}/${prefix}`
    }
  }
  // Not in the map of statuses of Neutron.
  throw neutronRefusal(
    500,
    'SubnetAllocationError',
    `Failed to allocate subnet: Insufficient prefix space to allocate subnet size /${prefix}.`,
  )
}

const checkModes = (fields: ItemFields, family: 4 | 6, prefix: number, cidr: string): void => {
  const modes = [fields.ipv6_ra_mode, fields.ipv6_address_mode].filter(mode => mode !== null)
  if (modes.length === 0) return
  if (family === 4) throw invalidInput('ipv6_ra_mode or ipv6_address_mode is not valid for IPv4 subnets')
  if (new Set(modes).size > 1)
    throw invalidInput(
      `ipv6_ra_mode set to '${fields.ipv6_ra_mode}' with ipv6_address_mode set to '${fields.ipv6_address_mode}' is not valid. If both attributes are set, they must be the same value`,
    )
  if (modes.includes('slaac') && prefix !== 64)
    throw invalidInput(
      `Invalid CIDR ${cidr} for IPv6 address mode. OpenStack uses the EUI-64 address format, which requires the prefix to be /64`,
    )
}

const checkOverlap = (cidr: string, network: string, { store }: KindContext): void => {
  const range = parseCidr(cidr)
  const isTaken = (subnet: SubnetItem): boolean => {
    const other = parseCidr(subnet.cidr)
    return range !== undefined && other !== undefined && overlaps(range, other)
  }
  if (store.all('subnet').some(subnet => subnet.network_id === network && isTaken(subnet)))
    throw invalidInput(
      `Requested subnet with cidr: ${cidr} for network: ${network} overlaps with another subnet`,
    )
}

const gatewayOf = ({ gateway_ip: given }: ItemFields, cidr: string): string | null => {
  if (given === null) return null
  const range = rangeOf(cidr)
  if (typeof given !== 'string')
    return range === undefined ? null : addressText(range.first + 1n, range.family)
  if (!isInRange(given, cidr)) throw invalidInput('Gateway is not valid on subnet')
  return given
}

export const subnetPools: ResourceKind<'subnetPool'> = {
  kind: 'subnetPool',
  service: 'network',
  collection: 'subnetpools',
  member: 'subnetpool',
  list: 'subnetpools',
  quota: 'subnetpool',
  fields: {
    name: text('', { required: true }),
    description: text(''),
    prefixes: list(undefined, { required: true }),
    default_prefixlen: number(),
    min_prefixlen: number(),
    max_prefixlen: number(),
    shared: flag(false, { role: '', inUpdate: false }),
    is_default: flag(false, { role: '' }),
  },
  filters: ['ip_version'],
  missing: noSubnetPool,
  isVisible: (pool, holder) => isOwned(pool, holder) || pool.shared,
  build: (fields, context) => {
    const prefixes = Array.isArray(fields.prefixes) ? fields.prefixes.map(String) : []
    const family = rangeOf(prefixes[0] ?? '')?.family ?? 4
    const least = family === 4 ? 8 : 64
    return {
      ip_version: family,
      min_prefixlen: fields.min_prefixlen ?? least,
      max_prefixlen: fields.max_prefixlen ?? (family === 4 ? 32 : 128),
      default_prefixlen: fields.default_prefixlen ?? fields.min_prefixlen ?? least,
      address_scope_id: null,
      default_quota: null,
      ...standardFields(context),
    }
  },
  // Neutron shows the lengths as texts.
  view: pool => ({
    ...pool,
    tenant_id: pool.project_id,
    default_prefixlen: String(pool.default_prefixlen),
    min_prefixlen: String(pool.min_prefixlen),
    max_prefixlen: String(pool.max_prefixlen),
  }),
  blockedBy: [
    {
      ...related<'subnet', 'subnetPool'>('subnet', (subnet, { id }) => subnet.subnetpool_id === id),
      refusal: () =>
        neutronRefusal(
          400,
          'SubnetPoolDeleteError',
          'Unable to delete subnet pool: Subnet pool has existing allocations.',
        ),
    },
  ],
  actions: tagActionsOf('subnetPool'),
}
