import {
  DescribeNetworkInterfacesCommand,
  DescribeSecurityGroupsCommand,
  type NetworkInterface,
} from '@aws-sdk/client-ec2'
import { type GraphBuilder, notedWaits, type Observation } from '../../../engine/engine.ts'
import { type Ec2Page, ec2Pages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { nodesGroupName } from '../network/nodes-group/nodes-group.ts'
import type { NetworkReads } from '../network/reads.ts'
import { isOurs } from '../tags.ts'
import { type LoadBalancerReads, loadBalancerReads } from './load-balancer-reads.ts'
import { classicLoadBalancer, type Leftover, leftover, loadBalancer, targetGroup } from './load-balancers.ts'
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
    observe: async ({ cloud, signal, state, read }) => {
      const name = nodesGroupName(desired)
      // A list of several pages may omit a group. This one has at most one group.
      const vpc = await read(reads.home)
      if (vpc.size === 0) return false
      const Filters = [
        { Name: 'vpc-id', Values: [...vpc] },
        { Name: 'group-name', Values: [name] },
      ]
      const command = new DescribeSecurityGroupsCommand({ Filters })
      const { SecurityGroups = [] } = await cloud.ec2.send(command, { abortSignal: signal })
      const namesakes = SecurityGroups.filter(({ GroupId }) => GroupId !== desired.nodesSecurityGroup)
      if (namesakes.length === 0) return false
      // With a group of the user, this shoot creates none: only a record or a mark shows that one is left from before.
      const tagsProve = desired.nodesSecurityGroup === undefined && (await read(reads.tagsProve))
      const proof = { ...desired, tagsProve }
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

const what = 'network interface'

/**
 * Interfaces of load balancers in deletion. AWS removes them some minutes after the load balancer; until then they
 * block their subnets and groups. The step only waits for them.
 */
const networkInterface = ({ home }: Pick<NetworkReads, 'home'>, reads: LoadBalancerReads): Leftover => {
  const observation: Observation<AwsCloud, readonly NetworkInterface[]> = {
    name: 'network interfaces of load balancers',
    observe: async ({ cloud, state, signal, read }) => {
      const awaited = new Set(notedWaits(state).flatMap(wait => (wait.what === what ? [wait.id] : [])))
      const [vpc, ...balancers] = await Promise.all([
        read(home),
        read(reads.classic),
        read(reads.loadBalancers),
      ])
      if (vpc.size === 0 || (awaited.size === 0 && balancers.flat().length === 0)) return []
      const Filters = [
        { Name: 'vpc-id', Values: [...vpc] },
        { Name: 'requester-id', Values: ['amazon-elb'] },
      ]
      const all = await ec2Pages('NetworkInterfaces', 'NetworkInterfaceId', (page: Ec2Page) =>
        cloud.ec2.send(new DescribeNetworkInterfacesCommand({ Filters, ...page }), { abortSignal: signal }),
      )
      const [classic, others] = balancers
      // `ELB <name>` for a classic one, `ELB app/<name>/<id>` or `ELB net/…` for the others.
      const descriptions = new Set([
        ...classic.map(({ LoadBalancerName }) => `ELB ${LoadBalancerName}`),
        ...others.map(({ LoadBalancerArn = '' }) => `ELB ${LoadBalancerArn.split(':loadbalancer/')[1]}`),
      ])
      return all.filter(
        ({ NetworkInterfaceId: id = '', Description = '' }) =>
          descriptions.has(Description) || awaited.has(id),
      )
    },
  }
  return {
    what,
    list: async ({ read }) =>
      (await read(observation)).map(({ NetworkInterfaceId: id = '', SubnetId, Groups = [] }) => ({
        ...leftover(id, '', [SubnetId, ...Groups.map(({ GroupId }) => GroupId)]),
        status: 'deleting' as const,
      })),
    // Never called: for a resource in deletion, the step only waits.
    remove: async () => 'going',
    firstPollMs: 60_000,
    pollMs: 20_000,
    waitLimitMs: 20 * 60_000,
  }
}
