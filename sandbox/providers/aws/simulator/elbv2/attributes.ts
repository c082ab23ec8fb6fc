import type {
  DescribeLoadBalancerAttributesInput,
  DescribeLoadBalancerAttributesOutput,
  LoadBalancerAttribute,
  ModifyLoadBalancerAttributesInput,
  ModifyLoadBalancerAttributesOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { notBuilt } from '../serve/not-built.ts'
import { refuse } from '../service.ts'
import { type Elbv2Call, findLoadBalancer } from './find.ts'
import type { LoadBalancer } from './state.ts'

/** The only attribute of the simulator's load balancers. Others have no effect on the API. */
const protection = 'deletion_protection.enabled'

const attributesOf = ({ deletionProtected = false }: LoadBalancer): LoadBalancerAttribute[] => [
  { Key: protection, Value: String(deletionProtected) },
]

export const describeLoadBalancerAttributes = (
  input: DescribeLoadBalancerAttributesInput,
  call: Elbv2Call,
): DescribeLoadBalancerAttributesOutput => ({
  Attributes: attributesOf(findLoadBalancer(call, input.LoadBalancerArn)),
})

/** @throws AwsError InvalidConfigurationRequest for another value than `true` and `false` */
export const modifyLoadBalancerAttributes = (
  { LoadBalancerArn, Attributes = [] }: ModifyLoadBalancerAttributesInput,
  call: Elbv2Call,
): ModifyLoadBalancerAttributesOutput => {
  const balancer = findLoadBalancer(call, LoadBalancerArn)
  const other = Attributes.find(({ Key }) => Key !== protection)
  if (other) throw notBuilt(`the attribute ${other.Key}`)
  for (const { Key, Value = '' } of Attributes) {
    if (Value !== 'true' && Value !== 'false') {
      throw refuse(
        'InvalidConfigurationRequest',
        `Load balancer attribute value '${Value}' for '${Key}' is not valid`,
      )
    }
    balancer.deletionProtected = Value === 'true'
  }
  return { Attributes: attributesOf(balancer) }
}
