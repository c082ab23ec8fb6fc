import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import { test } from 'vitest'
import { makeNetwork } from '../testing/network.ts'
import { expectRefusal, type Refusal, type World } from '../testing/refusal.ts'

const arnPrefix = 'arn:aws:elasticloadbalancing:eu-west-1:123456789012'

const clientOf = ({ settings }: World) => new elbv2.ElasticLoadBalancingV2Client(settings)

/** Creates a network load balancer with a listener that forwards to a target group. */
const newBalancer = async (world: World) => {
  const client = clientOf(world)
  const { subnets, vpcId: VpcId } = await makeNetwork(world.aws)
  const made = await client.send(
    new elbv2.CreateLoadBalancerCommand({ Name: 'web', Type: 'network', Subnets: [subnets[0]] }),
  )
  const LoadBalancerArn = made.LoadBalancers?.[0]?.LoadBalancerArn
  const ports = { Protocol: 'TCP', Port: 80 } as const
  const group = await client.send(new elbv2.CreateTargetGroupCommand({ Name: 'pods', VpcId, ...ports }))
  const TargetGroupArn = group.TargetGroups?.[0]?.TargetGroupArn
  const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn }]
  await client.send(new elbv2.CreateListenerCommand({ LoadBalancerArn, DefaultActions, ...ports }))
  return { LoadBalancerArn, TargetGroupArn }
}

const refusals: readonly Refusal[] = [
  [
    'a classic load balancer that there is not',
    world =>
      new elb.ElasticLoadBalancingClient(world.settings).send(
        new elb.DescribeTagsCommand({ LoadBalancerNames: ['none'] }),
      ),
    'AccessPointNotFoundException',
    400,
    "There is no ACTIVE Load Balancer named 'none'",
  ],
  [
    'a load balancer that there is not',
    world =>
      clientOf(world).send(
        new elbv2.DescribeTagsCommand({
          ResourceArns: [`${arnPrefix}:loadbalancer/net/none/0123456789abcdef`],
        }),
      ),
    'LoadBalancerNotFoundException',
    400,
    /not found/,
  ],
  [
    'a target group that there is not',
    world =>
      clientOf(world).send(
        new elbv2.DescribeTargetGroupsCommand({
          TargetGroupArns: [`${arnPrefix}:targetgroup/none/0123456789abcdef`],
        }),
      ),
    'TargetGroupNotFoundException',
    400,
    'One or more target groups not found',
  ],
  [
    'deleting a target group that a listener forwards to',
    async world => {
      const { TargetGroupArn } = await newBalancer(world)
      return clientOf(world).send(new elbv2.DeleteTargetGroupCommand({ TargetGroupArn }))
    },
    'ResourceInUseException',
    400,
    /is currently in use by a listener or a rule$/,
  ],
]

test.each(refusals)('ELB refuses %s', expectRefusal)
