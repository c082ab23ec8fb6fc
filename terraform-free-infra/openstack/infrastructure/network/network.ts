import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import { change, create, type Item, kinds, removing } from '../calls.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { identityOf, markOf } from '../ownership.ts'
import type { InfrastructureReads } from '../reads.ts'

/** A network, for the resources in it. */
export interface NetworkOutcome {
  readonly id: string
  readonly name: string
}
type NetworkAttributes = { readonly name: string; readonly adminStateUp: boolean }

const found = (network: Item<'network'>, key: string): Found<NetworkAttributes, NetworkOutcome> => ({
  ...identityOf(network, key),
  status: 'ready',
  attributes: { name: network.name, adminStateUp: network.admin_state_up },
  outcome: { id: network.id, name: network.name },
})

/** The external network of the floating pool. It belongs to the operator of the cloud. */
export const floatingNetworkType = (
  { floatingPool, destroying }: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, Record<never, never>, NetworkOutcome> => ({
  what: 'floating network',
  list: async ({ read }) =>
    (destroying ? [] : await read(reads.networks))
      .filter(one => one['router:external'] && one.name === floatingPool)
      .map(one => ({ ...found(one, floatingPool), attributes: {}, foreign: true })),
})

/** The network of the nodes: created, or the user's. */
export const networkType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, NetworkAttributes, NetworkOutcome> => {
  const { name, givenNetwork } = desired
  if (givenNetwork !== undefined)
    return {
      what: 'network',
      list: async ({ read }) =>
        (await read(reads.networks))
          .filter(({ id }) => id === givenNetwork)
          .map(network => ({ ...found(network, name), foreign: true })),
    }
  return {
    what: 'network',
    doubles: true,
    list: async ({ read, state }) =>
      (await read(reads.ownNetworks)).map(network => ({
        ...found(network, name),
        // Neutron deletes the subnets together with the network.
        uses: desired.subnets.flatMap(({ stateKey }) => state[stateKey] ?? []),
      })),
    create: async ({ cloud, signal }) => {
      const body = { name, admin_state_up: true, description: markOf(desired) }
      return found(await create(cloud, kinds.network, body, signal), name)
    },
    update: async ({ cloud, signal, found: { id }, attributes }) => {
      const body = { name, admin_state_up: attributes.adminStateUp }
      return found(await change(cloud, kinds.network, [id, body], signal), name)
    },
    remove: removing(kinds.network),
  }
}
