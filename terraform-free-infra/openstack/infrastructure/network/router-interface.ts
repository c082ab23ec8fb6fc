import * as z from 'zod'
import { contains, parseCidr } from '../../../cloud/cidr.ts'
import type { Found, FoundStatus, ResourceType, State } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import { change, type Item, kinds, read as readOne } from '../calls.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import type { InfrastructureReads } from '../reads.ts'
import type { RouterOutcome } from './router.ts'
import type { SubnetOutcome } from './subnet.ts'

/** `nodeRanges`, joined by commas: the router has routes to nodes in them. Only known during a deletion. */
type InterfaceAttributes = { readonly nodeRanges?: string }
export interface InterfaceOutcome {
  readonly portId: string
}
type InterfaceNeeds = { router: RouterOutcome; subnet: SubnetOutcome }

/** Returns true for interfaces of plain, distributed and highly available routers. */
export const isInterface = ({ device_owner }: Item<'port'>): boolean =>
  /^network:(?:ha_)?router_(?:interface|replicated_interface|interface_distributed)$/.test(device_owner)

/**
 * The port by which the router serves a subnet. It has no entry in the state and no mark: only a port of our subnet at
 * our router is one.
 */
export const routerInterfaceType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, InterfaceAttributes, InterfaceOutcome, InterfaceNeeds> => ({
  what: 'router interface',
  // An agent needs less than a second for the port.
  pollMs: 500,
  patienceMs: 10_000,
  list: async ({ state, read }) => {
    const ports = (await read(reads.ports)).filter(isInterface)
    if (ports.length === 0) return []
    const [router = '', network = '', subnets] = await Promise.all([
      read(reads.routerId),
      read(reads.networkId),
      read(reads.subnetIds),
    ])
    const attributes = desired.destroying ? await attributesOf(router) : {}
    return ports
      .filter(port => port.device_id === router)
      .flatMap(port => {
        const subnet = port.fixed_ips[0]?.subnet_id ?? ''
        const purpose = [...subnets].find(([, id]) => id === subnet)?.[0]
        // A given router may have interfaces in subnets of others.
        if (purpose === undefined && (!desired.destroying || desired.givenNetwork !== undefined)) return []
        const one = found(port.id, purpose ?? subnet, statusOf(port, state))
        return [{ ...one, attributes, ours: 'proved' as const, uses: [router, subnet, network] }]
      })

    async function attributesOf(id: string): Promise<InterfaceAttributes> {
      const ranges = nodeRangesOf(desired, state)
      const routes = (await read(reads.routers)).find(one => one.id === id)?.routes ?? []
      return routes.some(route => isToNode(route, ranges)) ? { nodeRanges: ranges.join(',') } : {}
    }
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
  remove: async ({ cloud, signal, found: { id, attributes, uses: [router = '', subnet = ''] = [] } }) => {
    const ranges = attributes.nodeRanges?.split(',') ?? []
    if (ranges.length > 0) {
      // Read just before, because a given router may have routes of others.
      const { routes } = await readOne(cloud, kinds.router, router, signal)
      const others = (routes ?? []).filter(route => !isToNode(route, ranges))
      await change(cloud, kinds.router, [router, { routes: others }], signal)
    }
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

/** Not yet active. */
const building: ReadonlySet<string> = new Set(['BUILD', 'DOWN', 'PENDING_CREATE', 'PENDING_UPDATE'])

/** An old port is DOWN while its agent is away. That is not waited for. */
const statusOf = ({ status }: Item<'port'>, state: State): FoundStatus => {
  if (status === 'ERROR') return 'failed'
  const isYoung = Object.keys(state).some(key => /^(?:Creating|Made|Waiting)\/router interface/.test(key))
  return building.has(status) && isYoung ? 'pending' : 'ready'
}

const nodeRangesOf = ({ subnets }: DesiredInfrastructure, state: State): readonly string[] =>
  [subnets[0]?.cidr, state.WorkersCIDR, state.NodeSubnetIPv6CIDR].filter(range => range !== undefined)

/** The cloud controller creates a route to each node. */
const isToNode = ({ nexthop }: { readonly nexthop: string }, ranges: readonly string[]): boolean => {
  const hop = parseCidr(`${nexthop}/${nexthop.includes(':') ? 128 : 32}`)
  return ranges.some(range => {
    const nodes = parseCidr(range)
    return hop !== undefined && nodes !== undefined && contains(nodes, hop)
  })
}
