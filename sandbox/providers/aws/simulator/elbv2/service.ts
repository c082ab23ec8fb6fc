import { serviceModel } from '../codec/model.ts'
import { loadBalancing } from '../elb/load-balancing.ts'
import { durationsOf, type LoadBalancerSettings } from '../elb/settings.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { takes } from '../serve/takes.ts'
import type { Service } from '../service.ts'
import { createListener, deleteListener, describeListeners } from './listeners.ts'
import { modifyLoadBalancerAttributes } from './load-balancer-attributes.ts'
import { createLoadBalancer, deleteLoadBalancer, describeLoadBalancers } from './load-balancers.ts'
import { type Elbv2State, emptyState } from './state.ts'
import { addTags, describeTags } from './tags.ts'
import { createTargetGroup, deleteTargetGroup, describeTargetGroups } from './target-groups.ts'

export const elbv2Model = serviceModel({
  name: 'elbv2',
  protocol: 'awsQuery',
  version: '2015-12-01',
  xmlNamespace: 'http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/',
  schemas: storedSchemas('elbv2'),
})

/** Application, network and gateway load balancers. */
export const createElbv2 = (settings: LoadBalancerSettings = {}): Service<Elbv2State> => {
  const durations = durationsOf(settings)
  return {
    model: elbv2Model,
    ...loadBalancing,
    createState: emptyState,
    handlers: {
      CreateLoadBalancer: takes(
        createLoadBalancer(durations),
        'Name',
        'Subnets',
        'SubnetMappings',
        'SecurityGroups',
        'Scheme',
        'Tags',
        'Type',
        'IpAddressType',
      ),
      DescribeLoadBalancers: takes(
        describeLoadBalancers(durations),
        'LoadBalancerArns',
        'Names',
        'Marker',
        'PageSize',
      ),
      DeleteLoadBalancer: takes(deleteLoadBalancer(durations), 'LoadBalancerArn'),
      ModifyLoadBalancerAttributes: takes(modifyLoadBalancerAttributes, 'LoadBalancerArn', 'Attributes'),
      CreateTargetGroup: takes(
        createTargetGroup,
        'Name',
        'Protocol',
        'ProtocolVersion',
        'Port',
        'VpcId',
        'HealthCheckProtocol',
        'HealthCheckPort',
        'HealthCheckEnabled',
        'HealthCheckPath',
        'HealthCheckIntervalSeconds',
        'HealthCheckTimeoutSeconds',
        'HealthyThresholdCount',
        'UnhealthyThresholdCount',
        'Matcher',
        'TargetType',
        'Tags',
        'IpAddressType',
      ),
      DescribeTargetGroups: takes(
        describeTargetGroups,
        'LoadBalancerArn',
        'TargetGroupArns',
        'Names',
        'Marker',
        'PageSize',
      ),
      DeleteTargetGroup: takes(deleteTargetGroup, 'TargetGroupArn'),
      CreateListener: takes(
        createListener,
        'LoadBalancerArn',
        'Protocol',
        'Port',
        'SslPolicy',
        'Certificates',
        'DefaultActions',
        'AlpnPolicy',
        'Tags',
      ),
      DescribeListeners: takes(describeListeners, 'LoadBalancerArn', 'ListenerArns', 'Marker', 'PageSize'),
      DeleteListener: takes(deleteListener, 'ListenerArn'),
      DescribeTags: takes(describeTags, 'ResourceArns'),
      AddTags: takes(addTags, 'ResourceArns', 'Tags'),
    },
  }
}
