import { canonicalCidr } from '../../cloud/cidr.ts'
import { type Graph, type GraphBuilder, graphOf, type Ref } from '../../engine/engine.ts'
import type { OpenStackAccess } from '../account/openstack.ts'
import { loadBalancerType } from './deletion/load-balancer.ts'
import type { DesiredInfrastructure, DesiredSubnet } from './desired.ts'
import { keyPairType } from './network/key-pair.ts'
import { floatingNetworkType, networkType } from './network/network.ts'
import { type RouterOutcome, routerType } from './network/router.ts'
import { routerInterfaceType } from './network/router-interface.ts'
import { ruleAttributes, securityGroupType } from './network/security-group.ts'
import { shareNetworkType } from './network/share-network.ts'
import { type SubnetOutcome, subnetType } from './network/subnet.ts'
import type { InfrastructureReads } from './reads.ts'

/** The graph, and the router in it, whose addresses are part of the status. */
export interface InfrastructureGraph {
  readonly graph: Graph<OpenStackAccess>
  readonly router: Ref<RouterOutcome>
}

/** Returns all resources of an infrastructure, with the state keys of the Go extension. */
export const infrastructureGraph = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): InfrastructureGraph => {
  const { name, publicKey } = desired
  const graph: GraphBuilder<OpenStackAccess> = graphOf()
  const floating = graph.add(floatingNetworkType(desired, reads), '', {
    key: desired.floatingPool,
    attributes: {},
    state: { id: 'FloatingNetwork', values: { FloatingNetworkName: outcome => outcome.name } },
  })
  const network = graph.add(networkType(desired, reads), '', {
    key: name,
    attributes: { name, adminStateUp: true },
    state: { id: 'Network', values: { NetworkName: outcome => outcome.name } },
  })
  const router = graph.add(routerType(desired, reads), '', {
    key: name,
    attributes: {
      name,
      floatingNetwork: floating.get(({ id }) => id),
      enableSnat: desired.enableSnat,
    },
    state: { id: 'Router', values: { FloatingPoolSubnetName: ({ floatingSubnet }) => floatingSubnet } },
  })
  const subnets = subnetType(desired, reads)
  const interfaces = routerInterfaceType(desired, reads)
  const refs = desired.subnets.map((subnet, index) => ({
    subnet,
    ref: graph.add(subnets, subnet.purpose, {
      key: subnet.name,
      // Neutron refuses concurrent allocations of one pool.
      after: index > 1 && subnet.pool !== undefined ? [`subnet ${desired.subnets[index - 1]?.purpose}`] : [],
      needs: { network },
      attributes: { name: subnet.name, dnsServers: subnet.dnsServers.join(',') },
      state: { id: subnet.stateKey, values: rangeKeys(subnet) },
    }),
  }))
  for (const { subnet, ref } of refs)
    if (subnet.purpose === 'nodes' || subnet.purpose === 'nodes-ipv6')
      graph.add(interfaces, subnet.purpose, {
        needs: { router, subnet: ref },
        attributes: {},
        // Only the router knows its interfaces.
        state: { id: () => undefined },
      })
  graph.add(securityGroupType(desired, reads), '', {
    key: name,
    attributes: ruleAttributes(desired),
    state: { id: 'SecurityGroup', values: { SecurityGroupName: outcome => outcome.name } },
  })
  if (publicKey !== undefined || desired.destroying)
    graph.add(keyPairType(desired, reads), name, {
      attributes: { publicKey: publicKey ?? '' },
      state: { id: 'KeyPair' },
    })
  const [nodes] = refs
  if (desired.shareNetwork && nodes !== undefined)
    graph.add(shareNetworkType(desired, reads), '', {
      key: name,
      needs: { network, subnet: nodes.ref },
      attributes: {},
      state: { id: 'ShareNetwork', values: { ShareNetworkName: outcome => outcome.name } },
    })
  if (desired.destroying) graph.sweep(loadBalancerType(desired, reads))
  return { graph: graph.build(), router }
}

type RangeKeys = Readonly<Record<string, (outcome: SubnetOutcome) => string | undefined>>

/** Returns the state keys of the ranges that the status shows. Services have the first 65,536 addresses of theirs. */
const rangeKeys = ({ purpose, pool, cidr: given }: DesiredSubnet): RangeKeys => {
  switch (purpose) {
    case 'nodes':
      return pool === undefined ? {} : { WorkersCIDR: ({ cidr }) => cidr || undefined }
    case 'nodes-ipv6':
      return { NodeSubnetIPv6CIDR: ({ cidr }) => given ?? (cidr || undefined) }
    case 'pods':
      return { PodSubnetIPv6CIDR: ({ cidr }) => given ?? (cidr || undefined) }
    case 'services':
      return {
        ServiceSubnetIPv6CIDR: ({ cidr }) =>
          canonicalCidr(given ?? cidr).replace(/\/\d+$/, '/112') || undefined,
      }
  }
}
