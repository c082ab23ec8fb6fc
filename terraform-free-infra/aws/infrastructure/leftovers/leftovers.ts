import type { GraphBuilder } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import { loadBalancerReads } from './load-balancer-reads.ts'
import { classicLoadBalancer, loadBalancer, targetGroup } from './load-balancers.ts'
import { networkInterface } from './network-interfaces.ts'
import { securityGroup } from './security-groups.ts'

/**
 * What the controllers of a cluster leave behind in its VPC: load balancers, their interfaces, target groups and
 * security groups. They hold subnets and the VPC. Only for a graph that is to destroy: as long as the cluster lives,
 * all of it is in use.
 */
export const addLeftovers = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  { reads }: { readonly reads: Pick<NetworkReads, 'securityGroups' | 'home'> },
): void => {
  const balancers = loadBalancerReads(desired, reads)
  graph.sweep(classicLoadBalancer(balancers))
  graph.sweep(loadBalancer(balancers))
  graph.sweep(targetGroup(balancers))
  graph.sweep(networkInterface(reads, balancers))
  graph.sweep(securityGroup(desired, reads))
}
