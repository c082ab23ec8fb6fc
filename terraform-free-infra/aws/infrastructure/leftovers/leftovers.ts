import type { GraphBuilder, Observation } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { nodesGroupName } from '../network/nodes-group/nodes-group.ts'
import type { NetworkReads } from '../network/reads.ts'
import { isOurs } from '../tags.ts'
import { loadBalancerReads } from './load-balancer-reads.ts'
import { classicLoadBalancer, loadBalancer, targetGroup } from './load-balancers.ts'
import { networkInterface } from './network-interfaces.ts'
import { securityGroup } from './security-groups.ts'

/**
 * Resources that the controllers of a cluster leave in its VPC: load balancers, their interfaces, target groups and
 * security groups. They block the deletion of subnets and the VPC. Only for deletions, because a living cluster uses
 * them.
 */
export const addLeftovers = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  { reads }: { readonly reads: LeftoverReads },
): void => {
  const provedReads = unlessShared(desired, reads)
  const balancers = loadBalancerReads(desired, provedReads)
  graph.sweep(classicLoadBalancer(balancers))
  graph.sweep(loadBalancer(balancers))
  graph.sweep(targetGroup(balancers))
  graph.sweep(networkInterface(provedReads, balancers))
  graph.sweep(securityGroup(desired, provedReads))
}

type LeftoverReads = Pick<NetworkReads, 'securityGroups' | 'home' | 'tagsProve'>

/**
 * Returns the reads. They are empty in a user's VPC in which a shoot of another landscape has the same name, because
 * its controllers use identical tags. The nodes' group reveals this case, because group names are unique in a VPC.
 */
const unlessShared = (
  desired: DesiredInfrastructure,
  reads: LeftoverReads,
): Pick<LeftoverReads, 'securityGroups' | 'home'> => {
  if (desired.vpc.kind === 'managed') return reads
  const isShared: Observation<AwsCloud, boolean> = {
    name: 'nodes of another shoot with this name in the VPC',
    observe: async ({ state, read }) => {
      const namesakes = (await read(reads.securityGroups)).filter(
        ({ GroupId, GroupName }) =>
          GroupName === nodesGroupName(desired) && GroupId !== desired.nodesSecurityGroup,
      )
      if (namesakes.length === 0) return false
      const proof = { ...desired, tagsProve: await read(reads.tagsProve) }
      const known = new Set([state.NodesSecurityGroup ?? ''])
      return namesakes.some(({ GroupId = '', Tags }) => !isOurs(proof, known, GroupId, Tags))
    },
  }
  return {
    home: {
      name: 'the VPC, unless it belongs to another shoot',
      observe: async ({ read }) => ((await read(isShared)) ? new Set() : read(reads.home)),
    },
    securityGroups: {
      name: 'security groups, except those of another shoot',
      observe: async ({ read }) => ((await read(isShared)) ? [] : read(reads.securityGroups)),
    },
  }
}
