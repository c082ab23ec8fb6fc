import { serviceModel } from '../codec/model.ts'
import { loadBalancing } from '../elb/load-balancing.ts'
import { durationsOf, type LoadBalancerSettings } from '../elb/settings.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { takes } from '../serve/takes.ts'
import type { Service } from '../service.ts'
import { createListener } from './create-listener.ts'
import { describeTags } from './describe-tags.ts'
import { createLoadBalancer, deleteLoadBalancer, describeLoadBalancers } from './load-balancers.ts'
import { type Elbv2State, emptyState } from './state.ts'
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
    lateRows: { loadBalancers: { id: 'arn' }, targetGroups: { id: 'arn' }, listeners: { id: 'arn' } },
    handlers: {
      CreateLoadBalancer: takes(
        createLoadBalancer(durations),
        'Name',
        'Subnets',
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
      CreateTargetGroup: takes(createTargetGroup, 'Name', 'Protocol', 'Port', 'VpcId', 'TargetType', 'Tags'),
      DescribeTargetGroups: takes(describeTargetGroups, 'TargetGroupArns', 'Marker', 'PageSize'),
      DeleteTargetGroup: takes(deleteTargetGroup, 'TargetGroupArn'),
      CreateListener: takes(createListener, 'LoadBalancerArn', 'Protocol', 'Port', 'DefaultActions', 'Tags'),
      DescribeTags: takes(describeTags, 'ResourceArns'),
    },
  }
}
