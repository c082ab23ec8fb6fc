import type {
  CreateListenerInput,
  CreateListenerOutput,
  Listener as ListenerOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { newTags } from '../elb/tags.ts'
import { type Elbv2Call, findLoadBalancer, findTargetGroup, forwardedTo } from './find.ts'
import type { Listener } from './state.ts'

const describe = ({ arn, loadBalancerArn, settings, actions }: Listener): ListenerOutput => ({
  ListenerArn: arn,
  LoadBalancerArn: loadBalancerArn,
  ...settings,
  DefaultActions: [...actions],
})

export const createListener = (input: CreateListenerInput, call: Elbv2Call): CreateListenerOutput => {
  const balancer = findLoadBalancer(call, input.LoadBalancerArn)
  const actions = input.DefaultActions ?? []
  const { Protocol, Port } = input
  const listener: Listener = {
    arn: `${balancer.arn.replace(':loadbalancer/', ':listener/')}/${call.newId(16, '0123456789abcdef')}`,
    loadBalancerArn: balancer.arn,
    settings: {
      ...(Protocol === undefined ? {} : { Protocol }),
      ...(Port === undefined ? {} : { Port }),
    },
    actions,
    tags: newTags(input.Tags),
  }
  for (const arn of forwardedTo(listener)) findTargetGroup(call, arn)
  call.state.listeners = [...call.state.listeners, listener]
  return { Listeners: [describe(listener)] }
}
