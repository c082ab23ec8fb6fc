import { serviceModel } from '../codec/model.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { takes } from '../serve/takes.ts'
import type { Service } from '../service.ts'
import { describeTags } from './describe-tags.ts'
import { createLoadBalancer, deleteLoadBalancer, describeLoadBalancers } from './load-balancers.ts'
import { loadBalancing } from './load-balancing.ts'
import { durationsOf, type LoadBalancerSettings } from './settings.ts'
import { type ElbState, emptyState } from './state.ts'

export const elbModel = serviceModel({
  name: 'elb',
  protocol: 'awsQuery',
  version: '2012-06-01',
  xmlNamespace: 'http://elasticloadbalancing.amazonaws.com/doc/2012-06-01/',
  schemas: storedSchemas('elb'),
})

/** Classic load balancers. */
export const createElb = (settings: LoadBalancerSettings = {}): Service<ElbState> => {
  const durations = durationsOf(settings)
  return {
    model: elbModel,
    ...loadBalancing,
    createState: emptyState,
    lateRows: { loadBalancers: { id: 'name' } },
    handlers: {
      CreateLoadBalancer: takes(
        createLoadBalancer,
        'LoadBalancerName',
        'Listeners',
        'Subnets',
        'SecurityGroups',
        'Scheme',
        'Tags',
      ),
      DescribeLoadBalancers: takes(describeLoadBalancers, 'LoadBalancerNames', 'Marker', 'PageSize'),
      DeleteLoadBalancer: takes(deleteLoadBalancer(durations), 'LoadBalancerName'),
      DescribeTags: takes(describeTags, 'LoadBalancerNames'),
    },
  }
}
