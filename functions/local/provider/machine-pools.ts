import { isIPv4, isIPv6 } from 'node:net'
import { type CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import type { Cluster } from '../../../shared/contract/objects.ts'
import { shown } from '../../../shared/decode/problems.ts'

/** Addresses of one family for the machine pods of a shoot. */
export interface MachineAddressPool {
  readonly family: 'IPv4' | 'IPv6'
  /** The name of the IPPool: `shoot-machine-pods-<technical id>-ipv4`. */
  readonly name: string
  readonly cidr: string
}

/**
 * Returns the pools of a shoot, in the order of its families (docs/contract/provider-local.md#infrastructure). A family
 * without a known node range has no pool.
 *
 * Throws a `CodedError` with `ERR_CONFIGURATION_PROBLEM` if no family has a range, or a range is invalid.
 */
export const machinePoolsOf = (cluster: Cluster, technicalId: string): readonly MachineAddressPool[] => {
  const { networking } = cluster.spec.shoot.spec ?? {}
  const ranges = [networking?.nodes, ...(cluster.spec.shoot.status?.networking?.nodes ?? [])].filter(
    range => typeof range === 'string',
  )
  for (const range of ranges)
    if (familyOf(range) === undefined)
      throw problem(`expected a range such as 10.0.0.0/16, found ${shown(range)}`)
  const pools = familiesOf(cluster).flatMap(family => {
    const cidr = ranges.find(range => familyOf(range) === family)
    const name = `shoot-machine-pods-${technicalId}-${family.toLowerCase()}`
    return cidr === undefined ? [] : [{ family, name, cidr }]
  })
  if (pools.length === 0) throw problem(`expected a range of ${familiesOf(cluster).join(' or ')}, found none`)
  return pools
}

const problem = (message: string): CodedError =>
  configurationProblem(`spec.shoot.spec.networking.nodes of the Cluster: ${message}`)

/** Returns the families of the shoot, in its order. */
export const familiesOf = (cluster: Cluster | undefined): readonly ('IPv4' | 'IPv6')[] => {
  const named = cluster?.spec.shoot.spec?.networking?.ipFamilies ?? []
  const known = named.filter(family => family === 'IPv4' || family === 'IPv6')
  return known.length === 0 ? ['IPv4'] : [...new Set(known)]
}

const familyOf = (range: string): 'IPv4' | 'IPv6' | undefined => {
  const [address = '', length = '', ...rest] = range.split('/')
  if (rest.length > 0 || !/^\d{1,3}$/.test(length)) return undefined
  if (isIPv4(address) && Number(length) <= 32) return 'IPv4'
  return isIPv6(address) && Number(length) <= 128 ? 'IPv6' : undefined
}
