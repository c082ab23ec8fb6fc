import type { CreateLoadBalancerCommandOutput } from '@aws-sdk/client-elastic-load-balancing'
import { type Behaviour, codeOf } from './behaviour.ts'
import { type FreshVpc, inside, inVpc } from './ec2/world.ts'
import { uniqueName } from './unique-name.ts'

const listener = { Protocol: 'TCP', LoadBalancerPort: 443, InstanceProtocol: 'TCP', InstancePort: 30443 }

/** Runs `see` with a load balancer in a new VPC. */
const balanced = (
  see: (
    world: FreshVpc & {
      readonly LoadBalancerName: string
      readonly group: () => Promise<string>
      readonly subnetId: string
      readonly groupId: string
      make(): Promise<CreateLoadBalancerCommandOutput>
      find(): Promise<unknown>
    },
  ) => Promise<unknown>,
): Behaviour['see'] =>
  inVpc(async vpc => {
    const LoadBalancerName = uniqueName('lb')
    await vpc.gateway()
    const [subnetId, groupId] = [await vpc.subnet(), await vpc.group('k8s-elb')]
    const make = () =>
      vpc.elb.createLoadBalancer({
        LoadBalancerName,
        Listeners: [listener],
        Subnets: [subnetId],
        SecurityGroups: [groupId],
        Tags: [{ Key: 'kubernetes.io/cluster/shoot', Value: 'owned' }],
      })
    const find = () =>
      codeOf(
        vpc.elb.describeLoadBalancers({ LoadBalancerNames: [LoadBalancerName] }),
        ({ LoadBalancerDescriptions }) => LoadBalancerDescriptions?.[0]?.VPCId === vpc.id,
      )
    return see({ ...vpc, LoadBalancerName, subnetId, groupId, make, find })
  })

/** Classic load balancers, which a shoot's Kubernetes may leave behind. */
export const elbBehaviours: readonly Behaviour[] = [
  {
    title: 'a load balancer is described with its VPC and listeners',
    see: balanced(async ({ elb, LoadBalancerName, id, make }) => {
      await make()
      const found = await elb.describeLoadBalancers({ LoadBalancerNames: [LoadBalancerName] })
      return found.LoadBalancerDescriptions?.map(({ VPCId, ListenerDescriptions, Scheme }) => [
        VPCId === id,
        ListenerDescriptions?.map(({ Listener }) => [Listener?.Protocol, Listener?.LoadBalancerPort]),
        Scheme,
      ])
    }),
    aws: [[true, [['TCP', 443]], 'internet-facing']],
  },
  {
    title: 'the name of its host tells the region',
    see: balanced(async ({ make }) => /\.eu-west-1\.elb\.amazonaws\.com$/.test((await make()).DNSName ?? '')),
    aws: true,
    moto: false,
  },
  {
    title: 'the tags of a load balancer are described',
    see: balanced(async ({ elb, LoadBalancerName, make }) => {
      await make()
      const { TagDescriptions } = await elb.describeTags({ LoadBalancerNames: [LoadBalancerName] })
      return TagDescriptions?.map(({ Tags }) => Tags)
    }),
    aws: [[{ Key: 'kubernetes.io/cluster/shoot', Value: 'owned' }]],
  },
  {
    title: 'the tags of an unknown load balancer are not found',
    see: ({ elb }) => codeOf(elb.describeTags({ LoadBalancerNames: [uniqueName('none')] })),
    aws: 'AccessPointNotFoundException 400',
  },
  {
    title: 'an unknown load balancer is not found',
    see: ({ elb }) => codeOf(elb.describeLoadBalancers({ LoadBalancerNames: [uniqueName('none')] })),
    aws: 'AccessPointNotFoundException 400',
  },
  {
    // DeleteLoadBalancer, API reference: "If the load balancer does not exist or has already been deleted, the call …
    // still succeeds".
    title: 'a load balancer is deleted, whether it exists or not',
    see: balanced(async ({ elb, LoadBalancerName, make, find }) => {
      await make()
      const remove = () => codeOf(elb.deleteLoadBalancer({ LoadBalancerName }))
      return [await remove(), await find(), await remove()]
    }),
    aws: ['done', 'AccessPointNotFoundException 400', 'done'],
  },
  {
    title: 'a load balancer holds an interface of its subnet and group, for minutes after it is gone too',
    see: balanced(
      async ({ ec2, elb, id, LoadBalancerName, subnetId: SubnetId, groupId: GroupId, make, waitLong }) => {
        await make()
        await waitLong()
        const interfaces = async () =>
          (await ec2.describeNetworkInterfaces({ Filters: inside(id) })).NetworkInterfaces?.map(
            ({ Description }) => Description?.split(' ')[0],
          )
        const before = await interfaces()
        await elb.deleteLoadBalancer({ LoadBalancerName })
        const during = [
          await codeOf(ec2.deleteSecurityGroup({ GroupId })),
          await codeOf(ec2.deleteSubnet({ SubnetId })),
        ]
        await waitLong()
        return [before, during, await interfaces(), await codeOf(ec2.deleteSecurityGroup({ GroupId }))]
      },
    ),
    aws: [['ELB'], ['DependencyViolation 400', 'DependencyViolation 400'], [], 'done'],
    moto: [[], ['done', 'done'], [], 'InvalidGroup.NotFound 400'],
  },
  {
    title: 'an unknown subnet takes no load balancer',
    see: ({ elb }) =>
      codeOf(
        elb.createLoadBalancer({
          LoadBalancerName: uniqueName('lb'),
          Listeners: [listener],
          Subnets: ['subnet-0000000000000000f'],
        }),
      ),
    aws: 'SubnetNotFoundException 400',
    moto: 'InvalidSubnetID.NotFound 400',
  },
]
