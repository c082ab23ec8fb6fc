import * as ec2 from '@aws-sdk/client-ec2'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import type { Aws } from '../simulator/aws.ts'

export interface PersonSettings {
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly requestHandler: Aws['requestHandler']
  readonly maxAttempts?: number
}

/** Tags of a namesake: those of our shoot, and sometimes the mark of another one. */
export const namesakeTags = (cluster: string, Name?: string): ec2.Tag[] => [
  { Key: `kubernetes.io/cluster/${cluster}`, Value: 'owned' },
  ...(Name === undefined ? [] : [{ Key: 'Name', Value: Name }]),
]

const mark = { Key: 'trellis.gardener.cloud/created-for', Value: 'uid-of-a-namesake' }

/** Returns functions that create resources with the names and tags of a shoot of this name. */
export const namesakeOf = (settings: PersonSettings, cluster: string) => {
  const client = new ec2.EC2Client(settings)
  const Tags = namesakeTags(cluster)
  const tagged = (ResourceType: ec2.ResourceType, name: string, ...more: readonly ec2.Tag[]) => ({
    TagSpecifications: [{ ResourceType, Tags: [...namesakeTags(cluster, `${cluster}-${name}`), ...more] }],
  })
  const subnet = async (VpcId: string, CidrBlock: string, name: string): Promise<string> => {
    const place = { VpcId, CidrBlock, AvailabilityZone: 'eu-west-1a' }
    const { Subnet } = await client.send(new ec2.CreateSubnetCommand({ ...place, ...tagged('subnet', name) }))
    return Subnet?.SubnetId ?? ''
  }
  return {
    client,
    tagged,
    /** The network of a zone, with the ranges of its three subnets. */
    network: async (VpcId: string, [nodes, utility, internal]: readonly [string, string, string]) => {
      await subnet(VpcId, nodes, 'nodes-z0')
      const SubnetId = await subnet(VpcId, utility, 'public-utility-z0')
      await subnet(VpcId, internal, 'private-utility-z0')
      const { AllocationId } = await client.send(
        new ec2.AllocateAddressCommand({ Domain: 'vpc', ...tagged('elastic-ip', 'eip-natgw-z0', mark) }),
      )
      await client.send(
        new ec2.CreateNatGatewayCommand({ SubnetId, AllocationId, ...tagged('natgateway', 'natgw-z0') }),
      )
      const { RouteTable } = await client.send(
        new ec2.CreateRouteTableCommand({ VpcId, ...tagged('route-table', 'private-eu-west-1a') }),
      )
      const RouteTableId = RouteTable?.RouteTableId ?? ''
      await client.send(new ec2.AssociateRouteTableCommand({ RouteTableId, SubnetId }))
      return { utility: SubnetId, RouteTableIds: [RouteTableId] }
    },
    group: async (
      VpcId: string,
      name: string,
      Description: string,
      ...more: readonly ec2.Tag[]
    ): Promise<string> => {
      const { GroupId } = await client.send(
        new ec2.CreateSecurityGroupCommand({
          ...{
            GroupName: `${cluster}-${name}`,
            Description,
            VpcId,
            ...tagged('security-group', name, ...more),
          },
        }),
      )
      return GroupId ?? ''
    },
    /** Creates load balancers, a target group and their security group, as the controllers in a shoot do. */
    balancers: async (VpcId: string, subnet: string, of: string): Promise<() => Promise<void>> => {
      const { GroupId = '' } = await client.send(
        new ec2.CreateSecurityGroupCommand({
          GroupName: `k8s-elb-${of}`,
          Description: 'Security group for Kubernetes ELB',
          VpcId,
          TagSpecifications: [{ ResourceType: 'security-group', Tags }],
        }),
      )
      const classic = new elb.ElasticLoadBalancingClient(settings)
      const LoadBalancerName = `classic-${of}`
      await classic.send(
        new elb.CreateLoadBalancerCommand({
          LoadBalancerName,
          Listeners: [{ Protocol: 'tcp', LoadBalancerPort: 443, InstancePort: 30_443 }],
          Subnets: [subnet],
          SecurityGroups: [GroupId],
          Tags: Tags as elb.Tag[],
        }),
      )
      const v2 = new elbv2.ElasticLoadBalancingV2Client(settings)
      const balancer = { Name: `network-${of}`, Subnets: [subnet], Tags: Tags as elbv2.Tag[] }
      const { LoadBalancers: [{ LoadBalancerArn } = {}] = [] } = await v2.send(
        new elbv2.CreateLoadBalancerCommand({ ...balancer, Type: 'network' }),
      )
      const pods = { Name: `pods-${of}`, Port: 80, VpcId, Tags: Tags as elbv2.Tag[] }
      const { TargetGroups: [{ TargetGroupArn } = {}] = [] } = await v2.send(
        new elbv2.CreateTargetGroupCommand({ ...pods, Protocol: 'TCP' }),
      )
      return async () => {
        await classic.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerName }))
        await v2.send(new elbv2.DeleteLoadBalancerCommand({ LoadBalancerArn }))
        await v2.send(new elbv2.DeleteTargetGroupCommand({ TargetGroupArn }))
      }
    },
  }
}

/**
 * Creates a network of another landscape's shoot with the same name in a VPC of its own: with all names and tags of
 * ours, a Bastion, and everything that controllers create.
 */
export const createNamesake = async (settings: PersonSettings, cluster: string): Promise<void> => {
  const { client, tagged, network, group, balancers } = namesakeOf(settings, cluster)
  const { Vpc } = await client.send(
    new ec2.CreateVpcCommand({
      CidrBlock: '10.250.0.0/16',
      TagSpecifications: [{ ResourceType: 'vpc', Tags: [...namesakeTags(cluster, cluster), mark] }],
    }),
  )
  const VpcId = Vpc?.VpcId ?? ''
  const { InternetGateway } = await client.send(
    new ec2.CreateInternetGatewayCommand(tagged('internet-gateway', 'igw')),
  )
  const { InternetGatewayId } = InternetGateway ?? {}
  await client.send(new ec2.AttachInternetGatewayCommand({ VpcId, InternetGatewayId }))
  const { utility, RouteTableIds } = await network(VpcId, [
    '10.250.0.0/19',
    '10.250.96.0/22',
    '10.250.112.0/22',
  ])
  await client.send(
    new ec2.CreateVpcEndpointCommand({
      VpcId,
      RouteTableIds,
      ServiceName: 'com.amazonaws.eu-west-1.s3',
      ...tagged('vpc-endpoint', 'gw-s3'),
    }),
  )
  const workers = await group(VpcId, 'nodes', 'Security group for nodes')
  const ofBastion = { Key: 'trellis.gardener.cloud/created-for-object', Value: `${cluster}/cli` }
  const bastion = await group(VpcId, 'cli-bsg', 'Bastion security group', ofBastion)
  await client.send(
    new ec2.AuthorizeSecurityGroupIngressCommand({
      GroupId: workers,
      IpPermissions: [
        { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, UserIdGroupPairs: [{ GroupId: bastion }] },
      ],
    }),
  )
  await client.send(
    new ec2.RunInstancesCommand({
      ImageId: 'ami-009357e51d0a076d6',
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      SubnetId: utility,
      SecurityGroupIds: [bastion],
      ...tagged('instance', 'cli-bastion', ofBastion),
    }),
  )
  await balancers(VpcId, utility, 'namesake')
}

/**
 * Creates what a namesake in a user's VPC leaves: its own group of the nodes, so that no second one has room there, and
 * load balancers in a subnet. Returns how it leaves.
 */
export const createSharer = async (
  settings: PersonSettings,
  cluster: string,
  vpc: string,
  subnet: string,
): Promise<() => Promise<unknown>> => {
  const { client, group, balancers } = namesakeOf(settings, cluster)
  const GroupId = await group(vpc, 'nodes', 'Security group for nodes')
  const remove = await balancers(vpc, subnet, 'sharer')
  return async () => {
    await client.send(new ec2.DeleteSecurityGroupCommand({ GroupId }))
    await remove()
  }
}

/**
 * Creates subnets of a user's VPC that another cluster uses, with a route table, as a shoot tags them that shares them.
 */
export const createOtherCluster = async (
  settings: PersonSettings,
  cluster: string,
  VpcId: string,
): Promise<void> => {
  const client = new ec2.EC2Client(settings)
  const shared = { Key: `kubernetes.io/cluster/${cluster}-other`, Value: 'shared' }
  for (const [CidrBlock, role] of [
    ['10.250.64.0/22', 'kubernetes.io/role/elb'],
    ['10.250.68.0/22', 'kubernetes.io/role/internal-elb'],
  ] as const) {
    const Tags = [shared, { Key: role, Value: '1' }, { Key: 'gardener.cloud/managed-tag', Value: role }]
    await client.send(
      new ec2.CreateSubnetCommand({
        VpcId,
        CidrBlock,
        AvailabilityZone: 'eu-west-1a',
        TagSpecifications: [{ ResourceType: 'subnet', Tags }],
      }),
    )
  }
}
