import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import { create, type Item, kinds, removing } from '../calls.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { identityOf, markOf, owned } from '../ownership.ts'
import type { InfrastructureReads } from '../reads.ts'
import type { NetworkOutcome } from './network.ts'
import type { SubnetOutcome } from './subnet.ts'

type NoAttributes = Record<never, never>
type ShareNetworkNeeds = { network: NetworkOutcome; subnet: SubnetOutcome }

const found = (one: Item<'shareNetwork'>, key: string): Found<NoAttributes, NetworkOutcome> => ({
  ...identityOf(one, key),
  status: 'ready',
  attributes: {},
  outcome: { id: one.id, name: one.name },
})

/** The network in which Manila serves file systems to the nodes. */
export const shareNetworkType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, NoAttributes, NetworkOutcome, ShareNetworkNeeds> => {
  const { name } = desired
  const what = kinds.shareNetwork.noun
  return {
    what,
    doubles: true,
    list: async ({ read, state }) => {
      const [listed, network = '', subnets] = await Promise.all([
        read(reads.shareNetworks),
        read(reads.networkId),
        read(reads.subnetIds),
      ])
      const uses = [network, ...subnets.values()]
      const ours = owned(listed, { what, desired, state, stateKey: 'ShareNetwork' })
      return ours.map(one => ({ ...found(one, name), uses }))
    },
    create: async ({ cloud, signal, needs: { network, subnet } }) => {
      const ids = { neutron_net_id: network.id, neutron_subnet_id: subnet.id }
      const body = { name, description: markOf(desired), ...ids }
      return found(await create(cloud, kinds.shareNetwork, body, signal), name)
    },
    remove: removing(kinds.shareNetwork),
  }
}
