import { expect, test } from 'vitest'
import { loadBalancerCondition } from './load-balancer-condition.ts'
import { infrastructureWith, valuesOf } from './testing/control-plane.ts'

test.each(['public', 'internal'])('a subnet of purpose %s suffices for load balancers', purpose => {
  const infrastructure = infrastructureWith('nodes', purpose)
  expect(loadBalancerCondition(valuesOf({ infrastructure }))).toBeUndefined()
})

test('without a subnet, a condition reports why Services wait', () => {
  expect(loadBalancerCondition(valuesOf({ infrastructure: infrastructureWith('nodes') }))).toEqual({
    type: 'LoadBalancersUnavailable',
    status: 'True',
    reason: 'NoSubnets',
    message:
      'Services of type LoadBalancer stay pending: no zone of the infrastructureConfig has a public or an internal subnet.',
  })
})
