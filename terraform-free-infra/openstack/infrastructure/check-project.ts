import type { ErrorCode } from '../../../shared/contract/constants.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { overlaps, parseCidr } from '../../cloud/cidr.ts'
import type { Read, State } from '../../engine/engine.ts'
import type { OpenStackAccess } from '../account/openstack.ts'
import { type Item, kinds, listOf } from './calls.ts'
import type { DesiredInfrastructure } from './desired.ts'
import { externalAddressesOf } from './network/router.ts'
import type { InfrastructureReads } from './reads.ts'

/** The input of `checkProject`. The plan reuses its reads. */
export interface ProjectCheck {
  readonly desired: DesiredInfrastructure
  readonly state: State
  readonly cloud: OpenStackAccess
  readonly reads: InfrastructureReads
  readonly read: Read<OpenStackAccess>
  readonly signal: AbortSignal
}

/**
 * Checks what the config names in the project: floating pool, given network and router, and subnets of others in a given
 * network. Throws a `CodedError` that names the field.
 */
export const checkProject = async (check: ProjectCheck): Promise<void> => {
  const { cloud, desired, read, reads } = check
  const networks = await read(reads.networks)
  const pool = await floatingPoolIn(networks, check)
  if (desired.givenNetwork !== undefined && !networks.some(({ id }) => id === desired.givenNetwork))
    throw problem(
      'networks.id',
      `the project has no network ${desired.givenNetwork}. Correct the id, or share the network with the project`,
      // A user may create it later, as the Go extension assumes.
      ['ERR_CONFIGURATION_PROBLEM', 'ERR_INFRA_DEPENDENCIES'],
    )
  if (desired.givenRouter !== undefined) await checkRouter(desired.givenRouter, pool, check)
  if (desired.givenNetwork !== undefined) await checkRanges(desired.givenNetwork, check)
  if (desired.shareNetwork && !(await cloud.has('sharev2')))
    throw problem(
      'networks.shareNetwork.enabled',
      'the catalog has no endpoint of the service sharev2 (Manila) in this region. Set it to false, or ask the operator of the cloud',
    )
}

const problem = (
  field: string,
  message: string,
  codes: readonly ErrorCode[] = ['ERR_CONFIGURATION_PROBLEM'],
): CodedError => new CodedError(`spec.providerConfig.${field}: ${message}`, { codes })

const floatingPoolIn = async (
  networks: readonly Item<'network'>[],
  { cloud, desired: { floatingPool }, signal }: ProjectCheck,
): Promise<Item<'network'>> => {
  const [pool, ...others] = networks.filter(one => one['router:external'] && one.name === floatingPool)
  if (pool === undefined) {
    const external = await listOf(cloud, kinds.network, { 'router:external': true }, signal)
    const names = external.map(({ name }) => name).sort()
    throw problem(
      'floatingPoolName',
      `Not found: ${JSON.stringify(floatingPool)} is not the name of an external network that the project can use; there ${names.length === 0 ? 'are none' : `is ${names.join(', ')}`}`,
    )
  }
  if (others.length > 0) {
    const ids = [pool, ...others].map(({ id }) => id).sort()
    throw problem(
      'floatingPoolName',
      `several external networks have the name ${floatingPool} (${ids.join(', ')}). Ask the operator of the cloud to rename all but one`,
    )
  }
  return pool
}

const checkRouter = async (
  id: string,
  pool: Item<'network'>,
  { desired, read, reads }: ProjectCheck,
): Promise<void> => {
  const router = (await read(reads.routers)).find(one => one.id === id)
  const field = 'networks.router.id'
  if (router === undefined)
    throw problem(field, `missing expected router ${id}: the project has no router with this id. Correct it`)
  const { network_id: external } = router.external_gateway_info ?? {}
  if (external === undefined)
    throw problem(field, `router ${id} has no gateway. Set its gateway to the external network ${pool.name}`)
  if (external !== pool.id)
    throw problem(
      field,
      `the gateway of router ${id} is in network ${external}, and floatingPoolName is ${desired.floatingPool} (${pool.id}). Correct one of them`,
    )
  if (externalAddressesOf(router).length === 0)
    throw problem(
      field,
      `expected at least one external fixed ip: the gateway of router ${id} has no address`,
    )
}

/** Neutron would refuse an overlap only after other resources were created. */
const checkRanges = async (network: string, { desired, state, read, reads }: ProjectCheck): Promise<void> => {
  const missing = desired.subnets.filter(({ stateKey, cidr }) => state[stateKey] === undefined && cidr)
  if (missing.length === 0) return
  const names = new Set(desired.subnets.map(({ name }) => name))
  const others = (await read(reads.subnets)).filter(({ name }) => !names.has(name))
  for (const { purpose, cidr = '' } of missing) {
    const range = parseCidr(cidr)
    const other = others.find(subnet => {
      const taken = parseCidr(subnet.cidr)
      return range !== undefined && taken !== undefined && overlaps(range, taken)
    })
    if (other === undefined) continue
    throw problem(
      fields[purpose],
      `${cidr} overlaps with cidr ${other.cidr} of subnet ${other.id}${other.name && ` (${other.name})`} in network ${network}. Choose a free range`,
    )
  }
}

const fields = {
  nodes: 'networks.workers',
  'nodes-ipv6': 'networks.ipv6.nodeCIDR',
  pods: 'networks.ipv6.podCIDR',
  services: 'networks.ipv6.serviceCIDR',
} as const
