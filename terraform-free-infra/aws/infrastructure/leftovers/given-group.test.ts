import {
  AttachInternetGatewayCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateInternetGatewayCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeSecurityGroupsCommand,
  type IpPermission,
} from '@aws-sdk/client-ec2'
import {
  CreateLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { shootIn } from '../network/testing/shoot.ts'
import { zonesOf } from '../network/testing/zones.ts'

const Tags = [{ Key: 'kubernetes.io/cluster/shoot--foo--bar', Value: 'owned' }]

/**
 * A shoot in the VPC of a user, with the user's group for the nodes, and a load balancer's group that it left behind.
 */
const setUp = async (options: Parameters<typeof createAws>[0] = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = createAws({ ...options, clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  const shoot = shootIn(aws, clock)
  const { ec2 } = shoot
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))
  const VpcId = Vpc?.VpcId ?? ''
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
  const InternetGatewayId = InternetGateway?.InternetGatewayId
  await ec2.send(new AttachInternetGatewayCommand({ VpcId, InternetGatewayId }))
  const group = async (GroupName: string, tags: typeof Tags = []) => {
    const TagSpecifications = tags.length > 0 ? [{ ResourceType: 'security-group' as const, Tags: tags }] : []
    const command = new CreateSecurityGroupCommand({ GroupName, Description: 'x', VpcId, TagSpecifications })
    return (await ec2.send(command)).GroupId ?? ''
  }
  const nodes = await group('nodes-of-the-user')
  const desired = {
    vpc: { kind: 'existing', id: VpcId, ipv6: false },
    zones: zonesOf(1),
    nodesSecurityGroup: nodes,
  } as const
  await shoot.reconcile(desired)
  const balancer = await group('k8s-elb-a1b2c3', Tags)
  const allow = (GroupId: string, permission: IpPermission) =>
    ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: [permission] }))
  const groups = async () => {
    const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}))
    return new Map(SecurityGroups.map(({ GroupId, IpPermissions }) => [GroupId, IpPermissions]))
  }
  return { ...shoot, aws, desired, nodes, balancer, group, allow, groups }
}
const from = (GroupId: string, parts: Partial<IpPermission> = {}, Description?: string): IpPermission => ({
  IpProtocol: '-1',
  UserIdGroupPairs: [{ GroupId, ...(Description !== undefined && { Description }) }],
  ...parts,
})
const ports = { IpProtocol: 'tcp', FromPort: 8080, ToPort: 8081 }

describe('a rule in the user’s group of the nodes that admits the group of a load balancer', () => {
  test.each([
    ['the cloud controller', (id: string) => from(id)],
    [
      'the AWS Load Balancer Controller',
      (id: string) => from(id, ports, 'elbv2.k8s.aws/targetGroupBinding=shared'),
    ],
  ])('is removed with that group if it is one of %s, and nothing else is', async (_, rule) => {
    const { remove, desired, allow, nodes, balancer, group, groups } = await setUp()
    const other = await group('another')
    await allow(nodes, from(other))
    await allow(nodes, { IpProtocol: '-1', IpRanges: [{ CidrIp: '10.0.0.0/8' }] })
    const before = (await groups()).get(nodes)
    await allow(nodes, rule(balancer))
    await remove(desired)
    const after = await groups()
    expect(after.has(balancer)).toBe(false)
    expect(after.get(nodes)).toEqual(before)
  })

  test.each([
    ['for some ports', (id: string) => from(id, ports)],
    ['with a description', (id: string) => from(id, {}, 'from our load balancer')],
  ])('belongs to the user %s, and the error of the deletion names it', async (_, rule) => {
    const { remove, desired, allow, nodes, balancer, groups } = await setUp()
    await allow(nodes, rule(balancer))
    const before = (await groups()).get(nodes)
    await expect(remove(desired)).rejects.toThrow(
      `${balancer} is in use by security group ${nodes} (nodes-of-the-user), whose rules refer to it. Remove the rules of ${nodes} that refer to ${balancer}`,
    )
    expect((await groups()).get(nodes)).toEqual(before)
  })

  test('is not removed from another group of the user, and the error of the deletion names that group', async () => {
    const { remove, desired, allow, balancer, group, groups } = await setUp()
    const database = await group('database')
    await allow(database, from(balancer))
    await expect(remove(desired)).rejects.toThrow(
      `${balancer} is in use by security group ${database} (database), whose rules refer to it`,
    )
    expect((await groups()).get(database)).toHaveLength(1)
  })
})

/** A shoot of another landscape with the same name and tags is in the VPC, with a load balancer. */
const withNamesake = async (options?: Parameters<typeof createAws>[0]) => {
  const world = await setUp(options)
  const { aws, ec2, desired, balancer, group } = world
  const theirNodes = await group('shoot--foo--bar-nodes', Tags)
  const place = { VpcId: desired.vpc.id, AvailabilityZone: 'eu-west-1a', CidrBlock: '10.250.200.0/24' }
  const { Subnet } = await ec2.send(new CreateSubnetCommand(place))
  const elb = new ElasticLoadBalancingClient(clientSettings(aws))
  await elb.send(
    new CreateLoadBalancerCommand({
      LoadBalancerName: 'a1b2c3',
      Listeners: [{ Protocol: 'tcp', LoadBalancerPort: 443, InstancePort: 30443 }],
      Subnets: [Subnet?.SubnetId ?? ''],
      SecurityGroups: [balancer],
      Tags,
    }),
  )
  return { ...world, elb, theirNodes }
}

test('a deletion retains what a shoot of another landscape with the same name and tags has in the VPC', async () => {
  const { elb, remove, desired, balancer, theirNodes, groups } = await withNamesake()
  await remove(desired)
  expect((await elb.send(new DescribeLoadBalancersCommand({}))).LoadBalancerDescriptions).toHaveLength(1)
  expect([...(await groups()).keys()]).toEqual(expect.arrayContaining([balancer, theirNodes]))
})

test.each([1, 2, 4])(
  'so does a deletion with a list of several pages that lacks a group (seed %i)',
  async seed => {
    const pages = { seed, most: 1, repeated: 0, omitted: 1, omittedAgain: false }
    const { aws, remove, desired } = await withNamesake({ pages })
    aws.calls.clear()
    await remove(desired)
    const actions = aws.calls.all().map(({ action }) => action)
    expect(actions).toContain('DescribeSecurityGroups')
    expect(actions).not.toContain('DeleteLoadBalancer')
  },
)
