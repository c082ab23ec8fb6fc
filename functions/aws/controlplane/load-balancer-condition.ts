import type { ControlPlaneValues } from './input/control-plane-values.ts'

/**
 * Type of the condition that exists while no load balancers are created. gardenlet ignores types that it does not know.
 */
export const noLoadBalancersType = 'LoadBalancersUnavailable'

interface LoadBalancerCondition {
  readonly type: typeof noLoadBalancersType
  readonly status: 'True'
  readonly reason: string
  readonly message: string
}

/**
 * Returns the condition for a user who waits for a load balancer: without a subnet none is created, and no event
 * reports it (docs/contract/control-plane.md#defects-of-the-go-extension). Undefined if there is no problem.
 */
export const loadBalancerCondition = ({
  infrastructure,
}: Pick<ControlPlaneValues, 'infrastructure'>): LoadBalancerCondition | undefined =>
  infrastructure.hasLoadBalancerSubnets
    ? undefined
    : {
        type: noLoadBalancersType,
        status: 'True',
        reason: 'NoSubnets',
        message:
          'Services of type LoadBalancer stay pending: no zone of the infrastructureConfig has a public or an internal subnet.',
      }
