import { type Call, refuse } from '../service.ts'
import type { Elbv2State, Listener, LoadBalancer, TargetGroup } from './state.ts'

export type Elbv2Call = Call<Elbv2State>

/** @throws AwsError LoadBalancerNotFound */
export const findLoadBalancer = ({ state }: Elbv2Call, arn = ''): LoadBalancer => {
  const found = state.loadBalancers.find(each => each.arn === arn)
  if (!found) throw refuse('LoadBalancerNotFound', 'One or more load balancers not found')
  return found
}

/** @throws AwsError TargetGroupNotFound */
export const findTargetGroup = ({ state }: Elbv2Call, arn = ''): TargetGroup => {
  const found = state.targetGroups.find(each => each.arn === arn)
  if (!found) throw refuse('TargetGroupNotFound', 'One or more target groups not found')
  return found
}

/** @throws AwsError ListenerNotFound */
export const findListener = ({ state }: Elbv2Call, arn = ''): Listener => {
  const found = state.listeners.find(each => each.arn === arn)
  if (!found) throw refuse('ListenerNotFound', 'One or more listeners not found')
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
