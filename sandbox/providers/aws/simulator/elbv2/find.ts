import { type Call, refuse } from '../service.ts'
import type { Elbv2State, Listener, LoadBalancer, TargetGroup } from './state.ts'

export type Elbv2Call = Call<Elbv2State>

/** @throws AwsError LoadBalancerNotFound */
export const findLoadBalancer = (call: Elbv2Call, arn = ''): LoadBalancer => {
  const found = call.state.loadBalancers.find(each => each.arn === arn)
  if (!found || call.isHidden?.('loadBalancers', arn))
    throw refuse('LoadBalancerNotFound', 'One or more load balancers not found')
  return found
}

/** @throws AwsError TargetGroupNotFound */
export const findTargetGroup = (call: Elbv2Call, arn = ''): TargetGroup => {
  const found = call.state.targetGroups.find(each => each.arn === arn)
  if (!found || call.isHidden?.('targetGroups', arn))
    throw refuse('TargetGroupNotFound', 'One or more target groups not found')
  return found
}

/** @throws AwsError ListenerNotFound */
export const findListener = (call: Elbv2Call, arn = ''): Listener => {
  const found = call.state.listeners.find(each => each.arn === arn)
  if (!found || call.isHidden?.('listeners', arn))
    throw refuse('ListenerNotFound', 'One or more listeners not found')
  return found
}

/** Returns the target groups that a listener forwards to. */
export const forwardedTo = ({ actions }: Listener): readonly string[] =>
  actions.flatMap(({ TargetGroupArn, ForwardConfig }) => [
    ...(TargetGroupArn === undefined ? [] : [TargetGroupArn]),
    ...(ForwardConfig?.TargetGroups ?? []).flatMap(tuple => tuple.TargetGroupArn ?? []),
  ])

/** Returns the load balancers that forward to a target group. */
export const balancersOf = ({ state }: Elbv2Call, { arn }: TargetGroup): readonly string[] => [
  ...new Set(
    state.listeners
      .filter(listener => forwardedTo(listener).includes(arn))
      .map(({ loadBalancerArn }) => loadBalancerArn),
  ),
]
