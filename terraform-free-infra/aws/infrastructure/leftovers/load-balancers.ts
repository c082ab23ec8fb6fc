import { DeleteLoadBalancerCommand as DeleteClassicCommand } from '@aws-sdk/client-elastic-load-balancing'
import {
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import type { Found, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { LoadBalancerReads } from './load-balancer-reads.ts'

type Nothing = Readonly<Record<never, never>>
export type Leftover = ResourceType<AwsCloud, Nothing, Nothing>

export const leftover = (
  id: string,
  key: string,
  uses: readonly (string | undefined)[],
): Found<Nothing, Nothing> => ({
  id,
  key,
  status: 'ready',
  attributes: {},
  outcome: {},
  // It is in the VPC and has the tag value of the cluster's controllers (docs/contract/provider-aws.md#infrastructure).
  ours: 'proved',
  uses: uses.filter(used => used !== undefined),
})

export const classicLoadBalancer = ({ classic }: LoadBalancerReads): Leftover => ({
  what: 'classic load balancer',
  list: async ({ read }) =>
    (await read(classic)).map(({ LoadBalancerName: name = '', SecurityGroups = [], Subnets = [] }) =>
      leftover(name, name, [...SecurityGroups, ...Subnets]),
    ),
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.elb.send(new DeleteClassicCommand({ LoadBalancerName: id }), { abortSignal: signal })
    return 'gone'
  },
})

/** A load balancer with its listeners. Its target groups can be deleted only after it. */
export const loadBalancer = ({ loadBalancers, targetGroups }: LoadBalancerReads): Leftover => ({
  what: 'load balancer',
  list: async ({ read }) => {
    const [balancers, groups] = await Promise.all([read(loadBalancers), read(targetGroups)])
    return balancers.map(({ LoadBalancerArn: arn = '', LoadBalancerName: name = '', ...balancer }) =>
      leftover(arn, name, [
        ...(balancer.SecurityGroups ?? []),
        ...(balancer.AvailabilityZones ?? []).map(({ SubnetId }) => SubnetId),
        ...groups.filter(group => group.LoadBalancerArns?.includes(arn)).map(group => group.TargetGroupArn),
      ]),
    )
  },
  remove: async ({ cloud, found: { id }, signal }) => {
    const command = new DeleteLoadBalancerCommand({ LoadBalancerArn: id })
    await cloud.elbv2.send(command, { abortSignal: signal })
    return 'gone'
  },
})

export const targetGroup = ({ targetGroups }: LoadBalancerReads): Leftover => ({
  what: 'target group',
  list: async ({ read }) =>
    (await read(targetGroups)).map(({ TargetGroupArn: arn = '', TargetGroupName: name = '' }) =>
      leftover(arn, name, []),
    ),
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.elbv2.send(new DeleteTargetGroupCommand({ TargetGroupArn: id }), { abortSignal: signal })
    return 'gone'
  },
})
