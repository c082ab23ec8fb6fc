import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { deleteNeutron, type Network, networkSchema, writeNeutron } from '../neutron.ts'
import { markOf } from '../ownership.ts'
import type { InfrastructureReads } from '../reads.ts'

/** A network, for the resources in it. */
export interface NetworkOutcome {
  readonly id: string
  readonly name: string
}
type NetworkAttributes = { readonly name: string; readonly adminStateUp: boolean }

const found = (network: Network, key: string): Found<NetworkAttributes, NetworkOutcome> => ({
  id: network.id,
  key,
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
    destroying
      ? []
      : (await read(reads.networks))
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
      (await read(reads.network)).map(({ item, ours }) => ({
        ...found(item, name),
        ...(ours && { ours }),
        // Neutron deletes the subnets together with the network.
        uses: desired.subnets.flatMap(({ stateKey }) => state[stateKey] ?? []),
      })),
    create: async ({ cloud, signal, attributes }) =>
      found(
        await writeNeutron(cloud, 'POST', {
          path: ['networks'],
          member: 'network',
          item: networkSchema,
          body: { name, admin_state_up: attributes.adminStateUp, description: markOf(desired) },
          doing: `creating network ${name}`,
          signal,
        }),
        name,
      ),
    update: async ({ cloud, signal, found: { id }, attributes }) => {
      const changed = await writeNeutron(cloud, 'PUT', {
        path: ['networks', id],
        member: 'network',
        item: networkSchema,
        body: { name: attributes.name, admin_state_up: attributes.adminStateUp },
        doing: `updating network ${name}`,
        signal,
      })
      return found(changed, name)
    },
    remove: ({ cloud, found: { id }, signal }) => deleteNeutron(cloud, ['networks', id], signal),
  }
}
