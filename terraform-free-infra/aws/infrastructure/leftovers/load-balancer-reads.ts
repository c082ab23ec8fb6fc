import {
  DescribeLoadBalancersCommand as DescribeClassicCommand,
  DescribeTagsCommand as DescribeClassicTagsCommand,
  type LoadBalancerDescription,
} from '@aws-sdk/client-elastic-load-balancing'
import {
  DescribeLoadBalancersCommand,
  DescribeTagsCommand,
  DescribeTargetGroupsCommand,
  type LoadBalancer,
  type TargetGroup,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import type { Observation, Read, State } from '../../../engine/engine.ts'
import { allPages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import { isDoneWith, isOwned } from '../tags.ts'

/** Reads the resources that the cluster's controllers have created in the VPC for its Services and Ingresses. */
export interface LoadBalancerReads {
  readonly classic: Observation<AwsCloud, readonly LoadBalancerDescription[]>
  readonly loadBalancers: Observation<AwsCloud, readonly LoadBalancer[]>
  readonly targetGroups: Observation<AwsCloud, readonly TargetGroup[]>
}

/** Gardener's marker that the load balancers are gone. A state from the Go extension may contain it. */
const doneMarker = 'LoadBalancersAndSecurityGroupsDestroyed'

/** `home`: the VPC that may contain leftovers. */
export const loadBalancerReads = (
  desired: DesiredInfrastructure,
  { home }: Pick<NetworkReads, 'home'>,
): LoadBalancerReads => {
  /**
   * Returns the VPCs to search, or undefined if there are none or an earlier step of the deletion has searched them.
   */
  const vpcToSearch = async (
    { state, read }: { readonly state: State; readonly read: Read<AwsCloud> },
    what: string,
  ): Promise<ReadonlySet<string> | undefined> => {
    if (state[doneMarker] === 'true' || isDoneWith(state, { destroying: true }, { what, keys: [] }))
      return undefined
    const vpc = await read(home)
    return vpc.size === 0 ? undefined : vpc
  }

  const loadBalancers: LoadBalancerReads['loadBalancers'] = {
    name: 'load balancers',
    observe: async ({ cloud, signal, ...context }) => {
      const vpc = await vpcToSearch(context, 'load balancer')
      if (vpc === undefined) return []
      const all = await allPages(
        ({ LoadBalancerArn }: LoadBalancer) => LoadBalancerArn,
        async Marker => {
          const command = new DescribeLoadBalancersCommand({ ...(Marker && { Marker }) })
          const answer = await cloud.elbv2.send(command, { abortSignal: signal })
          return { items: answer.LoadBalancers, next: answer.NextMarker }
        },
      )
      const inVpc = all.filter(({ VpcId = '' }) => vpc.has(VpcId))
      const owned = await ownedArns(
        cloud,
        desired,
        signal,
        inVpc.map(({ LoadBalancerArn }) => LoadBalancerArn ?? ''),
      )
      return inVpc.filter(({ LoadBalancerArn }) => owned.has(LoadBalancerArn ?? ''))
    },
  }
  return {
    classic: {
      name: 'classic load balancers',
      observe: async ({ cloud, signal, ...context }) => {
        const vpc = await vpcToSearch(context, 'classic load balancer')
        if (vpc === undefined) return []
        const all = await allPages(
          ({ LoadBalancerName }: LoadBalancerDescription) => LoadBalancerName,
          async Marker => {
            const command = new DescribeClassicCommand({ ...(Marker && { Marker }) })
            const answer = await cloud.elb.send(command, { abortSignal: signal })
            return { items: answer.LoadBalancerDescriptions, next: answer.NextMarker }
          },
        )
        const inVpc = all.filter(({ VPCId = '' }) => vpc.has(VPCId))
        const names = inVpc.map(({ LoadBalancerName }) => LoadBalancerName ?? '')
        const owned = new Set<string>()
        for (const LoadBalancerNames of chunks(names)) {
          const command = new DescribeClassicTagsCommand({ LoadBalancerNames })
          const { TagDescriptions = [] } = await cloud.elb.send(command, { abortSignal: signal })
          for (const { LoadBalancerName = '', Tags } of TagDescriptions)
            if (isOwned(desired, Tags)) owned.add(LoadBalancerName)
        }
        return inVpc.filter(({ LoadBalancerName }) => owned.has(LoadBalancerName ?? ''))
      },
    },
    loadBalancers,
    targetGroups: {
      name: 'target groups',
      observe: async ({ cloud, signal, ...context }) => {
        const vpc = await vpcToSearch(context, 'target group')
        if (vpc === undefined) return []
        const all = await allPages(
          ({ TargetGroupArn }: TargetGroup) => TargetGroupArn,
          async Marker => {
            const command = new DescribeTargetGroupsCommand({ ...(Marker && { Marker }) })
            const answer = await cloud.elbv2.send(command, { abortSignal: signal })
            return { items: answer.TargetGroups, next: answer.NextMarker }
          },
        )
        const arns = new Set(
          (await context.read(loadBalancers)).map(({ LoadBalancerArn }) => LoadBalancerArn),
        )
        const isServed = ({ LoadBalancerArns = [] }: TargetGroup) =>
          LoadBalancerArns.some(arn => arns.has(arn))
        const inVpc = all.filter(({ VpcId = '' }) => vpc.has(VpcId))
        const others = inVpc.filter(group => !isServed(group))
        const owned = await ownedArns(
          cloud,
          desired,
          signal,
          others.map(({ TargetGroupArn }) => TargetGroupArn ?? ''),
        )
        return inVpc.filter(group => isServed(group) || owned.has(group.TargetGroupArn ?? ''))
      },
    },
  }
}

const ownedArns = async (
  cloud: AwsCloud,
  desired: DesiredInfrastructure,
  signal: AbortSignal,
  arns: readonly string[],
): Promise<ReadonlySet<string>> => {
  const owned = new Set<string>()
  for (const ResourceArns of chunks(arns)) {
    const command = new DescribeTagsCommand({ ResourceArns })
    const { TagDescriptions = [] } = await cloud.elbv2.send(command, { abortSignal: signal })
    for (const { ResourceArn = '', Tags } of TagDescriptions)
      if (isOwned(desired, Tags)) owned.add(ResourceArn)
  }
  return owned
}

/** One call returns tags for at most twenty. */
const chunks = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / 20) }, (_, index) => names.slice(index * 20, index * 20 + 20))
