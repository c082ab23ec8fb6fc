import { contains, parseCidr } from '../../../cloud/cidr.ts'
import type { State } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { listNeutron, type Router, routerSchema, writeNeutron } from '../neutron.ts'

/** Returns the ranges of the nodes. */
export const nodeRanges = ({ subnets }: DesiredInfrastructure, state: State): readonly string[] =>
  [
    subnets.find(({ purpose }) => purpose === 'nodes')?.cidr,
    state.WorkersCIDR,
    state.NodeSubnetIPv6CIDR,
  ].filter(range => range !== undefined && range !== '') as readonly string[]

/** Returns the routes of a router that do not lead to a node. The cloud controller creates the others. */
export const routesOfOthers = ({ routes }: Router, ranges: readonly string[]) =>
  (routes ?? []).filter(({ nexthop }) => {
    const hop = parseCidr(nexthop.includes(':') ? `${nexthop}/128` : `${nexthop}/32`)
    return !ranges.some(range => {
      const nodes = parseCidr(range)
      return hop !== undefined && nodes !== undefined && contains(nodes, hop)
    })
  })

/**
 * Removes the routes to nodes from a router, which would block the removal of its interface. The list is read just
 * before, because a given router may have routes of others.
 */
export const removeRoutes = async (
  cloud: OpenStackAccess,
  {
    router: id,
    ranges,
    signal,
  }: { readonly router: string; readonly ranges: readonly string[]; readonly signal: AbortSignal },
): Promise<void> => {
  const [router] = await listNeutron(cloud, { path: 'routers', item: routerSchema, query: { id }, signal })
  if (router === undefined) return
  const routes = routesOfOthers(router, ranges)
  if (routes.length === (router.routes ?? []).length) return
  await writeNeutron(cloud, 'PUT', {
    path: ['routers', id],
    member: 'router',
    item: routerSchema,
    body: { routes },
    doing: `removing the routes to nodes from router ${id}`,
    signal,
  })
}
