import * as z from 'zod'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { markOf, owned } from '../ownership.ts'
import {
  type InfrastructureReads,
  networkIdOf,
  type ShareNetwork,
  shareNetworkSchema,
  subnetIdsOf,
} from '../reads.ts'
import type { NetworkOutcome } from './network.ts'
import type { SubnetOutcome } from './subnet.ts'

type NoAttributes = Record<never, never>

const found = ({ id, name }: ShareNetwork, key: string): Found<NoAttributes, NetworkOutcome> => ({
  id,
  key,
  status: 'ready',
  attributes: {},
  outcome: { id, name },
})

/** The network in which Manila serves file systems to the nodes. */
export const shareNetworkType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<
  OpenStackAccess,
  NoAttributes,
  NetworkOutcome,
  { network: NetworkOutcome; subnet: SubnetOutcome }
> => {
  const { name } = desired
  return {
    what: 'share network',
    doubles: true,
    list: async context => {
      const listed = await context.read(reads.shareNetworks)
      const { state } = context
      const ours = owned(listed, { what: 'share network', desired, state, stateKey: 'ShareNetwork', name })
      const [network = '', subnets] = await Promise.all([
        networkIdOf(desired, reads, context),
        subnetIdsOf(desired, reads, context),
      ])
      return ours.map(({ item, ours }) => ({
        ...found(item, name),
        ...(ours && { ours }),
        uses: [network, ...subnets.values()],
      }))
    },
    create: async ({ cloud, signal, needs: { network, subnet } }) => {
      const { share_network } = await cloud.call({
        service: 'sharev2',
        method: 'POST',
        path: ['share-networks'],
        body: {
          share_network: {
            name,
            description: markOf(desired),
            neutron_net_id: network.id,
            neutron_subnet_id: subnet.id,
          },
        },
        answer: z.object({ share_network: shareNetworkSchema }),
        doing: `creating share network ${name}`,
        signal,
      })
      return found(share_network, name)
    },
    remove: async ({ cloud, signal, found: { id } }) => {
      const path = ['share-networks', id]
      await cloud.call({
        service: 'sharev2',
        method: 'DELETE',
        path,
        doing: `deleting share network ${id}`,
        signal,
      })
      return 'gone'
    },
  }
}
