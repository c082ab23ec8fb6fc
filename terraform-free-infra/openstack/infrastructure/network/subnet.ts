import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import { isRefusal, type OpenStackAccess } from '../../account/openstack.ts'
import { change, create, type Item, kinds, removing } from '../calls.ts'
import type { DesiredInfrastructure, DesiredSubnet } from '../desired.ts'
import { identityOf, markOf, owned } from '../ownership.ts'
import type { InfrastructureReads } from '../reads.ts'
import type { NetworkOutcome } from './network.ts'

/** A subnet, for router interfaces and the status. */
export interface SubnetOutcome {
  readonly id: string
  readonly cidr: string
}
type SubnetAttributes = {
  readonly name: string
  /** Joined by commas, in their order. Empty: none, so that a subnet without servers does not differ. */
  readonly dnsServers: string
}
type SubnetType = ResourceType<OpenStackAccess, SubnetAttributes, SubnetOutcome, { network: NetworkOutcome }>

const found = (subnet: Item<'subnet'>, key: string): Found<SubnetAttributes, SubnetOutcome> => ({
  ...identityOf(subnet, key),
  // A pool may choose the range later.
  status: subnet.cidr === '' ? 'pending' : 'ready',
  attributes: { name: subnet.name, dnsServers: (subnet.dns_nameservers ?? []).join(',') },
  outcome: { id: subnet.id, cidr: subnet.cidr },
  uses: [subnet.network_id],
})

/** The subnets of nodes and, with two families, those of nodes, pods and services in IPv6. */
export const subnetType = (desired: DesiredInfrastructure, reads: InfrastructureReads): SubnetType => {
  const { subnets, destroying, givenNetwork } = desired
  const common = {
    what: 'subnet',
    remembers: (key: string) => subnets.some(({ stateKey }) => stateKey === key),
  }
  if (destroying && givenNetwork === undefined) return { ...common, ...goesWithNetwork(subnets) }
  return {
    ...common,
    doubles: true,
    pollMs: 1_000,
    patienceMs: 10_000,
    list: async ({ read, state }) => {
      const listed = await read(reads.subnets)
      return subnets.flatMap(subnet =>
        owned(listed, { what: 'subnet', desired, state, ...subnet }).map(one => found(one, subnet.name)),
      )
    },
    create: async ({ cloud, signal, key, needs }) => {
      const subnet = subnets.find(({ name }) => name === key)
      if (subnet === undefined) throw new TypeError(`no subnet is desired with the name ${key}`)
      const body = { ...bodyOf(subnet), network_id: needs.network.id, description: markOf(desired) }
      try {
        return found(await create(cloud, kinds.subnet, body, signal), key)
      } catch (error) {
        if (!isRefusal(error, 'SubnetPoolNotFound')) throw error
        const field = subnet.family === 4 ? 'subnetPool.id' : 'ipv6.subnetPoolID'
        throw configurationProblem(
          `spec.providerConfig.networks.${field}: the project has no subnet pool ${subnet.pool?.id}. Correct the id, or ask its owner to share it`,
          error,
        )
      }
    },
    update: async ({ cloud, signal, found: { id, key }, attributes: { name, dnsServers } }) => {
      const body = { name, dns_nameservers: dnsServers === '' ? [] : dnsServers.split(',') }
      return found(await change(cloud, kinds.subnet, [id, body], signal), key)
    },
    remove: removing(kinds.subnet),
  }
}

const bodyOf = ({ name, purpose, family, cidr, pool, dnsServers }: DesiredSubnet) => ({
  name,
  ip_version: family,
  ...(cidr !== undefined && { cidr }),
  ...(pool !== undefined && { subnetpool_id: pool.id }),
  ...(pool?.prefixLength !== undefined && { prefixlen: pool.prefixLength }),
  ...(dnsServers.length > 0 && { dns_nameservers: dnsServers }),
  ...(purpose === 'nodes-ipv6' && { ipv6_ra_mode: 'slaac', ipv6_address_mode: 'slaac' }),
})

/** Neutron deletes the subnets of a managed network. The state names them until then, so that nothing is read. */
const goesWithNetwork = (subnets: readonly DesiredSubnet[]): Pick<SubnetType, 'list' | 'remove'> => ({
  list: async ({ state }) =>
    subnets.flatMap(({ name, stateKey }) => {
      const { [stateKey]: id } = state
      if (id === undefined) return []
      return [{ id, key: name, status: 'ready', attributes: {}, outcome: { id, cidr: '' }, uses: [] }]
    }),
  remove: async () => 'gone',
})
