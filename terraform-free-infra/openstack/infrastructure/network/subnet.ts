import { configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import { isRefusal, type OpenStackAccess } from '../../account/openstack.ts'
import type { DesiredInfrastructure, DesiredSubnet } from '../desired.ts'
import { deleteNeutron, type Subnet, subnetSchema, writeNeutron } from '../neutron.ts'
import { markOf, owned } from '../ownership.ts'
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

const found = (subnet: Subnet, key: string): Found<SubnetAttributes, SubnetOutcome> => ({
  id: subnet.id,
  key,
  // A pool may choose the range later.
  status: subnet.cidr === '' ? 'pending' : 'ready',
  attributes: { name: subnet.name, dnsServers: (subnet.dns_nameservers ?? []).join(',') },
  outcome: { id: subnet.id, cidr: subnet.cidr },
  uses: [subnet.network_id],
})

/** The subnets of nodes and, with two families, those of nodes, pods and services in IPv6. */
export const subnetType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, SubnetAttributes, SubnetOutcome, { network: NetworkOutcome }> => {
  const common = {
    what: 'subnet',
    remembers: (key: string) => desired.subnets.some(({ stateKey }) => stateKey === key),
  }
  if (desired.destroying && desired.givenNetwork === undefined)
    return { ...common, ...goesWithNetwork(desired) }
  return {
    ...common,
    doubles: true,
    pollMs: 1_000,
    patienceMs: 10_000,
    list: async ({ read, state }) => {
      const subnets = await read(reads.subnets)
      return desired.subnets.flatMap(({ name, stateKey }) =>
        owned(subnets, { what: 'subnet', desired, state, stateKey, name }).map(({ item, ours }) => ({
          ...found(item, name),
          ...(ours && { ours }),
        })),
      )
    },
    create: async ({ cloud, signal, name: purpose, needs }) => {
      const subnet = desired.subnets.find(one => one.purpose === purpose)
      if (subnet === undefined) throw new TypeError(`no subnet is desired for ${purpose}`)
      try {
        const made = await writeNeutron(cloud, 'POST', {
          path: ['subnets'],
          member: 'subnet',
          item: subnetSchema,
          body: { ...bodyOf(subnet), network_id: needs.network.id, description: markOf(desired) },
          doing: `creating subnet ${subnet.name}`,
          signal,
        })
        return found(made, subnet.name)
      } catch (error) {
        if (!isRefusal(error, 'SubnetPoolNotFound')) throw error
        const field = subnet.family === 4 ? 'networks.subnetPool.id' : 'networks.ipv6.subnetPoolID'
        throw configurationProblem(
          `spec.providerConfig.${field}: the project has no subnet pool ${subnet.pool?.id}. Correct the id, or ask its owner to share it`,
          error,
        )
      }
    },
    update: async ({ cloud, signal, found: { id, key }, attributes: { name, dnsServers } }) => {
      const changed = await writeNeutron(cloud, 'PUT', {
        path: ['subnets', id],
        member: 'subnet',
        item: subnetSchema,
        body: { name, dns_nameservers: dnsServers === '' ? [] : dnsServers.split(',') },
        doing: `updating subnet ${name}`,
        signal,
      })
      return found(changed, key)
    },
    remove: ({ cloud, found: { id }, signal }) => deleteNeutron(cloud, ['subnets', id], signal),
  }
}

const bodyOf = ({ name, purpose, family, cidr, pool, dnsServers }: DesiredSubnet): object => ({
  name,
  ip_version: family,
  ...(cidr !== undefined && { cidr }),
  ...(pool !== undefined && { subnetpool_id: pool.id }),
  ...(pool?.prefixLength !== undefined && { prefixlen: pool.prefixLength }),
  ...(dnsServers.length > 0 && { dns_nameservers: dnsServers }),
  ...(purpose === 'nodes-ipv6' && { ipv6_ra_mode: 'slaac', ipv6_address_mode: 'slaac' }),
})

/** Neutron deletes the subnets of a managed network. The state names them until then, so that nothing is read. */
const goesWithNetwork = ({
  subnets,
}: DesiredInfrastructure): Pick<
  ResourceType<OpenStackAccess, SubnetAttributes, SubnetOutcome, { network: NetworkOutcome }>,
  'list' | 'remove'
> => ({
  list: async ({ state }) =>
    subnets.flatMap(({ name, stateKey }) => {
      const { [stateKey]: id } = state
      return id === undefined
        ? []
        : [{ id, key: name, status: 'ready', attributes: {}, outcome: { id, cidr: '' }, uses: [] }]
    }),
  remove: async () => 'gone',
})
