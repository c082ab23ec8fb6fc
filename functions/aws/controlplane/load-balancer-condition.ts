import type { ControlPlaneValues } from './input/control-plane-values.ts'

/** A condition of this type is there as long as no load balancers are made. gardenlet passes over types that it does not know. */
export const noLoadBalancersType = 'LoadBalancersUnavailable'

interface LoadBalancerCondition {
  readonly type: typeof noLoadBalancersType
  readonly status: 'True'
  readonly reason: string
  readonly message: string
}

/**
 * What a user has to know who waits for a load balancer: where no subnet is for them, nobody makes any, and no event says so
 * (docs/contract/control-plane.md#defects-of-the-go-extension). Undefined when there is nothing to tell.
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
