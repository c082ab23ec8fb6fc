import type { CreateLoadBalancerCommandInput } from '@aws-sdk/client-elastic-load-balancing-v2'
import { type Behaviour, codeOf } from './behaviour.ts'
import { type FreshVpc, inside, inVpc, present } from './ec2/world.ts'
import { uniqueName } from './unique-name.ts'

const noArn = (kind: string): string =>
  `arn:aws:elasticloadbalancing:eu-west-1:123456789012:${kind}/net/none/0123456789abcdef`

interface World extends FreshVpc {
  /** Creates a network load balancer in two zones, and returns its ARN. */
  make(input?: Partial<CreateLoadBalancerCommandInput>): Promise<string>
  targets(): Promise<string>
  /** Forwards the balancer's connections to the targets. */
  connect(balancer: string, targets: string): Promise<string>
}

const balanced = (see: (world: World) => Promise<unknown>): Behaviour['see'] =>
  inVpc(async vpc => {
    await vpc.gateway()
    const Subnets = [await vpc.subnet(), await vpc.subnet('10.0.1.0/24', 'b')]
    const { elbv2 } = vpc
    return see({
      ...vpc,
      make: async input => {
        const Name = uniqueName('lb')
        const made = await elbv2.createLoadBalancer({ Name, Subnets, Type: 'network', ...input })
        return present(made.LoadBalancers?.[0]?.LoadBalancerArn)
      },
      targets: async () => {
        const made = await elbv2.createTargetGroup({
          Name: uniqueName('tg'),
          Protocol: 'TCP',
          Port: 30443,
          VpcId: vpc.id,
        })
        return present(made.TargetGroups?.[0]?.TargetGroupArn)
      },
      connect: async (LoadBalancerArn, TargetGroupArn) => {
        const made = await elbv2.createListener({
          LoadBalancerArn,
          Protocol: 'TCP',
          Port: 443,
          DefaultActions: [{ Type: 'forward', TargetGroupArn }],
        })
        return present(made.Listeners?.[0]?.ListenerArn)
      },
    })
  })

/** Network and application load balancers (ELBv2). */
export const elbv2Behaviours: readonly Behaviour[] = [
  {
    title: 'a load balancer is provisioning at first, then active',
    see: balanced(async ({ elbv2, make, waitLong }) => {
      const LoadBalancerArns = [await make()]
      const state = async () =>
        (await elbv2.describeLoadBalancers({ LoadBalancerArns })).LoadBalancers?.[0]?.State?.Code
      const first = await state()
      await waitLong()
      return [first, await state()]
    }),
    aws: ['provisioning', 'active'],
    moto: ['active', 'active'],
  },
  {
    title: 'the ARN of a network load balancer tells its type',
    see: balanced(async ({ make }) => (await make()).split('/').slice(0, 2).join('/')),
    aws: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/net',
    moto: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app',
  },
  {
    title: 'an unknown load balancer is not found',
    see: ({ elbv2 }) => codeOf(elbv2.describeLoadBalancers({ Names: [uniqueName('none')] })),
    aws: 'LoadBalancerNotFoundException 400',
  },
  {
    title: 'tags of a load balancer are described, and those of an unknown one are not found',
    see: balanced(async ({ elbv2, make }) => {
      const arn = await make({ Tags: [{ Key: 'a', Value: '1' }] })
      const { TagDescriptions } = await elbv2.describeTags({ ResourceArns: [arn] })
      return [
        TagDescriptions?.map(({ Tags }) => Tags),
        await codeOf(elbv2.describeTags({ ResourceArns: [noArn('loadbalancer')] })),
      ]
    }),
    aws: [[[{ Key: 'a', Value: '1' }]], 'LoadBalancerNotFoundException 400'],
    moto: [[[{ Key: 'a', Value: '1' }]], 'done'],
  },
  {
    // DeleteLoadBalancer, API reference: "If the load balancer does not exist or has already been deleted, the call
    // succeeds".
    title: 'a load balancer is deleted, whether it exists or not',
    see: ({ elbv2 }) => codeOf(elbv2.deleteLoadBalancer({ LoadBalancerArn: noArn('loadbalancer') })),
    aws: 'done',
  },
  {
    title: 'a load balancer holds an interface in each subnet, for minutes after it is gone too',
    see: balanced(async ({ ec2, elbv2, id, make, waitLong }) => {
      const LoadBalancerArn = await make()
      await waitLong()
      const count = async () =>
        (await ec2.describeNetworkInterfaces({ Filters: inside(id) })).NetworkInterfaces?.length
      const before = await count()
      await elbv2.deleteLoadBalancer({ LoadBalancerArn })
      const during = await count()
      await waitLong()
      return [before, during, await count()]
    }),
    aws: [2, 2, 0],
    moto: [0, 0, 0],
  },
]
