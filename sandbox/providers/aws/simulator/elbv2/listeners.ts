import type {
  CreateListenerInput,
  CreateListenerOutput,
  DeleteListenerInput,
  DescribeListenersInput,
  DescribeListenersOutput,
  Listener as ListenerOutput,
} from '@aws-sdk/client-elastic-load-balancing-v2'
import { pageOf } from '../elb/pages.ts'
import { withTags } from '../elb/tags.ts'
import { refuse } from '../service.ts'
import { type Elbv2Call, findListener, findLoadBalancer, findTargetGroup, forwardedTo } from './find.ts'
import type { Listener, LoadBalancer } from './state.ts'

const invalid = (message: string) => refuse('ValidationError', message, { status: 400 })

const describe = ({ arn, loadBalancerArn, settings, actions }: Listener): ListenerOutput => ({
  ListenerArn: arn,
  LoadBalancerArn: loadBalancerArn,
  ...settings,
  DefaultActions: [...actions],
})

const protocols: Readonly<Record<LoadBalancer['type'], readonly string[]>> = {
  application: ['HTTP', 'HTTPS'],
  network: ['TCP', 'TLS', 'UDP', 'TCP_UDP'],
  gateway: [],
}

const checkProtocol = (
  { type }: LoadBalancer,
  { Protocol, Port, Certificates }: CreateListenerInput,
): void => {
  if (type === 'gateway') {
    if (Protocol !== undefined || Port !== undefined) {
      throw invalid('A listener of a Gateway Load Balancer has neither protocol nor port')
    }
    return
  }
  if (Protocol === undefined) throw invalid('A protocol must be specified')
  if (Port === undefined) throw invalid('A port must be specified')
  if (!protocols[type].includes(Protocol)) {
    throw invalid(`Protocol '${Protocol}' must be one of '${[...protocols[type]].sort().join(', ')}'`)
  }
  if (!(Port >= 1 && Port <= 65_535)) throw invalid(`Port '${Port}' must be between 1 and 65535`)
  if ((Protocol === 'HTTPS' || Protocol === 'TLS') && !Certificates?.length) {
    throw invalid(`A certificate must be specified for ${Protocol} listeners`)
  }
}

export const createListener = (input: CreateListenerInput, call: Elbv2Call): CreateListenerOutput => {
  const balancer = findLoadBalancer(call, input.LoadBalancerArn)
  checkProtocol(balancer, input)
  const actions = input.DefaultActions ?? []
  if (actions.length === 0) throw invalid('At least one default action must be specified')
  const others = call.state.listeners.filter(({ loadBalancerArn }) => loadBalancerArn === balancer.arn)
  if (others.some(({ settings }) => settings.Port === input.Port)) {
    throw refuse(
      'DuplicateListener',
      `A listener already exists on this port for this load balancer '${balancer.arn}'`,
    )
  }
  const { Protocol, Port, SslPolicy, Certificates, AlpnPolicy } = input
  const listener: Listener = {
    arn: `${balancer.arn.replace(':loadbalancer/', ':listener/')}/${call.newId(16, '0123456789abcdef')}`,
    loadBalancerArn: balancer.arn,
    settings: {
      ...(Protocol === undefined ? {} : { Protocol }),
      ...(Port === undefined ? {} : { Port }),
      ...(SslPolicy === undefined ? {} : { SslPolicy }),
      ...(Certificates === undefined ? {} : { Certificates }),
      ...(AlpnPolicy === undefined ? {} : { AlpnPolicy }),
    },
    actions,
    tags: withTags([], input.Tags),
  }
  for (const arn of forwardedTo(listener)) findTargetGroup(call, arn)
  call.state.listeners = [...call.state.listeners, listener]
  return { Listeners: [describe(listener)] }
}

export const describeListeners = (
  input: DescribeListenersInput,
  call: Elbv2Call,
): DescribeListenersOutput => {
  const { LoadBalancerArn, ListenerArns } = input
  if ((LoadBalancerArn === undefined) === (ListenerArns === undefined)) {
    throw invalid('You must specify either listener ARNs or a load balancer ARN')
  }
  const found =
    ListenerArns?.map(arn => findListener(call, arn)) ??
    call.state.listeners.filter(
      ({ loadBalancerArn }) => loadBalancerArn === findLoadBalancer(call, LoadBalancerArn).arn,
    )
  if (LoadBalancerArn !== undefined) findLoadBalancer(call, LoadBalancerArn)
  const { page, next } = pageOf(found, ({ arn }) => arn, input)
  return { Listeners: page.map(describe), ...next }
}

export const deleteListener = (input: DeleteListenerInput, call: Elbv2Call): object => {
  const gone = findListener(call, input.ListenerArn)
  call.state.listeners = call.state.listeners.filter(each => each !== gone)
  return {}
}
