import { DescribeNetworkInterfacesCommand, type NetworkInterface } from '@aws-sdk/client-ec2'
import { notedWaits, type Observation } from '../../../engine/engine.ts'
import { allPages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { LoadBalancerReads } from './load-balancer-reads.ts'
import { type Leftover, leftover } from './load-balancers.ts'

const what = 'network interface'

/**
 * Interfaces of load balancers in deletion. AWS removes them some minutes after the load balancer; until then they
 * block their subnets and groups. The step only waits for them.
 */
export const networkInterface = (
  { home }: Pick<NetworkReads, 'home'>,
  reads: LoadBalancerReads,
): Leftover => {
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
      const all = await allPages(async NextToken => {
        const command = new DescribeNetworkInterfacesCommand({ Filters, ...(NextToken && { NextToken }) })
        const answer = await cloud.ec2.send(command, { abortSignal: signal })
        return { items: answer.NetworkInterfaces, next: answer.NextToken }
      })
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
