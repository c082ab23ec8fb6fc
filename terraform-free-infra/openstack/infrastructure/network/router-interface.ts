import * as z from 'zod'
import type { Found, FoundStatus, ResourceType, State } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import { nodeRanges, removeRoutes, routesOfOthers } from '../deletion/routes.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import type { Port } from '../neutron.ts'
import { type InfrastructureReads, networkIdOf, routerIdOf, subnetIdsOf } from '../reads.ts'
import type { RouterOutcome } from './router.ts'
import type { SubnetOutcome } from './subnet.ts'

/** `nodeRoutes`: the ranges of nodes to which its router has routes, joined by commas. Only read for a deletion. */
type InterfaceAttributes = { readonly nodeRoutes?: string }
export interface InterfaceOutcome {
  readonly portId: string
}
type InterfaceNeeds = { router: RouterOutcome; subnet: SubnetOutcome }

const what = 'router interface'

/** Interfaces of plain, distributed and highly available routers. */
export const isInterface = ({ device_owner }: Port): boolean =>
  /^network:(?:ha_)?router_(?:interface|replicated_interface|interface_distributed)$/.test(device_owner)

/**
 * The port by which the router serves a subnet. It has no entry in the state and no mark: only a port of our subnet at
 * our router is one.
 */
export const routerInterfaceType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, InterfaceAttributes, InterfaceOutcome, InterfaceNeeds> => ({
  what,
  // An agent needs less than a second for the port.
  pollMs: 500,
  patienceMs: 10_000,
  list: async context => {
    const { state, read } = context
    const ports = await read(reads.ports)
    if (ports.length === 0) return []
    const [router, network, subnets, routers] = await Promise.all([
      routerIdOf(desired, reads, context),
      desired.destroying ? networkIdOf(desired, reads, context) : undefined,
      subnetIdsOf(desired, reads, context),
      desired.destroying ? read(reads.routers) : [],
    ])
    const ranges = nodeRanges(desired, state)
    const hasRoutes = routers.some(
      one => one.id === router && routesOfOthers(one, ranges).length < (one.routes ?? []).length,
    )
    return ports
      .filter(port => isInterface(port) && port.device_id === router)
      .flatMap(port => {
        const subnet = port.fixed_ips[0]?.subnet_id ?? ''
        const purpose = [...subnets].find(([, id]) => id === subnet)?.[0]
        // A given router may have interfaces in subnets of others.
        if (purpose === undefined && !desired.destroying) return []
        return [
          {
            ...found(port.id, purpose ?? subnet, statusOf(port, state)),
            ours: 'proved' as const,
            attributes: hasRoutes ? { nodeRoutes: ranges.join(',') } : {},
            uses: [router ?? '', subnet, ...(network === undefined ? [] : [network])],
          },
        ]
      })
  },
  create: async ({ cloud, signal, name, needs: { router, subnet } }) => {
    const { port_id } = await cloud.call({
      service: 'network',
      method: 'PUT',
      path: ['routers', router.id, 'add_router_interface'],
      body: { subnet_id: subnet.id },
      answer: z.object({ port_id: z.string() }),
      doing: `adding an interface in subnet ${subnet.id} to router ${router.id}`,
      signal,
    })
    return found(port_id, name, 'pending')
  },
  remove: async ({ cloud, signal, found: { id, attributes, uses = [] } }) => {
    const [router = '', subnet = ''] = uses
    const { nodeRoutes } = attributes
    if (nodeRoutes !== undefined) await removeRoutes(cloud, { router, ranges: nodeRoutes.split(','), signal })
    await cloud.call({
      service: 'network',
      method: 'PUT',
      path: ['routers', router, 'remove_router_interface'],
      body: { subnet_id: subnet, port_id: id },
      doing: `removing the interface in subnet ${subnet} from router ${router}`,
      signal,
    })
    return 'gone'
  },
})

const found = (
  id: string,
  key: string,
  status: FoundStatus,
): Found<InterfaceAttributes, InterfaceOutcome> => ({
  id,
  key,
  status,
  attributes: {},
  outcome: { portId: id },
})

/** Not yet active. An agent that is away shows an old port as DOWN, too: that is not waited for. */
const building: ReadonlySet<string> = new Set(['BUILD', 'DOWN', 'PENDING_CREATE', 'PENDING_UPDATE'])

const statusOf = ({ status }: Port, state: State): FoundStatus => {
  if (status === 'ERROR') return 'failed'
  const isYoung = Object.keys(state).some(key => /^(?:Creating|Made|Waiting)\/router interface/.test(key))
  return building.has(status) && isYoung ? 'pending' : 'ready'
}
