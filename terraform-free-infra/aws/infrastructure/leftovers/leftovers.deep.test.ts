import {
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateTagsCommand,
  DeleteSubnetCommand,
  DescribeSecurityGroupsCommand,
} from '@aws-sdk/client-ec2'
import * as classic from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import { describe, expect, test } from 'vitest'
import { clientSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { makeNetwork } from '../../../../sandbox/providers/aws/simulator/testing/network.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { graphOf, type ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import { networkReads } from '../network/reads.ts'
import { convergeOver, desiredOf } from '../testing/converge.ts'
import { addLeftovers } from './leftovers.ts'

const cluster = 'kubernetes.io/cluster/shoot--foo--bar'
const Tags = [{ Key: cluster, Value: 'owned' }]

const setUp = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, elb: { durations: { scale: 1 } } })
  const network = await makeNetwork(aws)
  const { ec2, vpcId, subnets, interfaces } = network
  await ec2.send(new CreateTagsCommand({ Resources: [vpcId], Tags }))
  aws.calls.clear()
  const elb = new classic.ElasticLoadBalancingClient(clientSettings(aws))
  const v2 = new elbv2.ElasticLoadBalancingV2Client(clientSettings(aws))
  const reads = networkReads(desiredOf())
  /** A subnet of the cluster. It is deleted after the leftovers, as in the whole graph. */
  const subnetType: ResourceType<AwsCloud, Record<never, never>, Record<never, never>> = {
    what: 'test subnet',
    list: async ({ cloud, read, state }) => {
      const all = await read(reads.subnets)
      expect(cloud.region).toBe('eu-west-1')
      expect(state.VPC).toBe(vpcId)
      return all
        .filter(({ SubnetId }) => SubnetId === subnets[0])
        .map(({ SubnetId: id = '' }) => ({
          id,
          key: '',
          status: 'ready',
          attributes: {},
          outcome: {},
          ours: 'proved',
        }))
    },
    remove: async ({ cloud, found: { id } }) => {
      await cloud.ec2.send(new DeleteSubnetCommand({ SubnetId: id }))
      return 'gone'
    },
  }
  const graphFor = () => {
    const desired = desiredOf()
    const graph = graphOf<AwsCloud>()
    addLeftovers(graph, desired, { reads })
    graph.sweep(subnetType)
    return graph.build()
  }
  const own = convergeOver(aws.requestHandler, clock)
  const destroy = (state: Readonly<Record<string, string>> = {}) =>
    own.converge(graphFor(), { state: { VPC: vpcId, ...state }, destroy: true })
  const actions = () => aws.calls.all().map(({ action }) => action)
  const group = async (GroupName: string, tags = Tags, { vpcId: VpcId } = network) => {
    const made = await ec2.send(new CreateSecurityGroupCommand({ GroupName, Description: 'x', VpcId }))
    const id = made.GroupId ?? ''
    if (tags.length > 0) await ec2.send(new CreateTagsCommand({ Resources: [id], Tags: tags }))
    return id
  }
  const allow = (GroupId: string, from: string) =>
    ec2.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId,
        IpPermissions: [{ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId: from }] }],
      }),
    )
  const groups = async ({ vpcId } = network) => {
    const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}))
    return SecurityGroups.filter(({ VpcId, GroupName }) => VpcId === vpcId && GroupName !== 'default')
      .map(({ GroupName }) => GroupName)
      .sort()
  }
  const makeClassic = (LoadBalancerName: string, tags = Tags, { subnets, groupId } = network) =>
    elb.send(
      new classic.CreateLoadBalancerCommand({
        LoadBalancerName,
        Listeners: [{ Protocol: 'tcp', LoadBalancerPort: 443, InstancePort: 30443 }],
        Subnets: [subnets[0]],
        SecurityGroups: [groupId],
        ...(tags.length > 0 && { Tags: tags }),
      }),
    )
  const makeNetworkBalancer = async (Name: string, tags = Tags, { subnets, vpcId } = network) => {
    const made = await v2.send(
      new elbv2.CreateLoadBalancerCommand({
        Name,
        Type: 'network',
        Subnets: [subnets[0]],
        ...(tags.length > 0 && { Tags: tags }),
      }),
    )
    const LoadBalancerArn = made.LoadBalancers?.[0]?.LoadBalancerArn
    const target = await v2.send(
      new elbv2.CreateTargetGroupCommand({ Name: `${Name}-pods`, Protocol: 'TCP', Port: 80, VpcId: vpcId }),
    )
    const TargetGroupArn = target.TargetGroups?.[0]?.TargetGroupArn
    const DefaultActions = [{ Type: 'forward' as const, TargetGroupArn }]
    await v2.send(
      new elbv2.CreateListenerCommand({ LoadBalancerArn, Protocol: 'TCP', Port: 80, DefaultActions }),
    )
    return TargetGroupArn
  }
  const balancers = async () => {
    const old = await elb.send(new classic.DescribeLoadBalancersCommand({}))
    const others = await v2.send(new elbv2.DescribeLoadBalancersCommand({}))
    const targets = await v2.send(new elbv2.DescribeTargetGroupsCommand({}))
    return [
      ...(old.LoadBalancerDescriptions ?? []).map(({ LoadBalancerName }) => LoadBalancerName),
      ...(others.LoadBalancers ?? []).map(({ LoadBalancerName }) => LoadBalancerName),
      ...(targets.TargetGroups ?? []).map(({ TargetGroupName }) => TargetGroupName),
    ]
  }
  return {
    aws,
    clock,
    v2,
    vpcId,
    interfaces,
    graphFor,
    destroy,
    actions,
    group,
    allow,
    groups,
    makeClassic,
    makeNetworkBalancer,
    balancers,
    ...own,
  }
}

describe('leftovers of the cluster', () => {
  test('include load balancers with their target groups, and subnets are deleted once the interfaces are gone', async () => {
    const { destroy, makeClassic, makeNetworkBalancer, balancers, interfaces, aws, actions } = await setUp()
    await makeClassic('a1b2c3')
    await makeNetworkBalancer('web')
    aws.calls.clear()
    const { waits } = await destroy()
    expect(await balancers()).toEqual([])
    expect(await interfaces()).toEqual([])
    expect(waits[0]).toContain('network interface')
    // AWS never refused it: the deletion waited for the leftovers in the subnet.
    expect(aws.calls.all().filter(({ errorCode }) => errorCode !== undefined)).toEqual([])
    expect(actions().filter(action => action === 'DeleteSubnet')).toHaveLength(1)
    // About one read per minute, only of the interfaces.
    expect(actions().filter(action => action === 'DescribeNetworkInterfaces').length).toBeLessThan(15)
  })

  test('are shown in the plan', async () => {
    const { plan, graphFor, makeNetworkBalancer, vpcId } = await setUp()
    await makeNetworkBalancer('web')
    const { actions } = await plan(graphFor(), { VPC: vpcId }, true)
    const sentences = actions.map(({ sentence }) => sentence.replace(/ \(.*\)/, ''))
    expect(sentences).toEqual([
      'delete load balancer web',
      'delete target group web-pods',
      'wait for network interface to be deleted',
      'delete test subnet',
    ])
    expect(actions.find(({ sentence }) => sentence.startsWith('delete test'))?.after).toHaveLength(2)
  })

  test('are looked up once per deletion, even if there are none', async () => {
    const { destroy, actions, aws } = await setUp()
    aws.calls.clear()
    await destroy()
    expect(actions().sort()).toEqual(
      [
        'DescribeLoadBalancers',
        'DescribeLoadBalancers',
        'DescribeTargetGroups',
        'DescribeSecurityGroups',
        'DescribeSubnets',
        'DescribeVpcs',
        'DeleteSubnet',
      ].sort(),
    )
    aws.calls.clear()
    await destroy({ 'Waiting/NAT gateway a': '2026-11-21T00:00:00.000Z going nat-1 NAT gateway' })
    expect(actions().filter(action => /Load|Target/.test(action))).toEqual([])
  })

  test('are read again while the nodes have their role or a step has failed', async () => {
    const { destroy, actions, aws } = await setUp()
    const waiting = { 'Waiting/NAT gateway a': '2026-11-21T00:00:00.000Z going nat-1 NAT gateway' }
    aws.calls.clear()
    await destroy({ ...waiting, IAMRoleName: 'shoot--foo--bar-nodes' })
    await destroy({ ...waiting, 'Waiting/x': '2026-11-21T00:00:00.000Z busy x-1 subnet' })
    expect(actions().filter(action => action === 'DescribeTargetGroups')).toHaveLength(2)
  })

  test('exclude foreign load balancers', async () => {
    const { destroy, makeClassic, makeNetworkBalancer, balancers, graphFor, plan, vpcId } = await setUp()
    await makeClassic('a1b2c3', [])
    await makeNetworkBalancer('web', [{ Key: cluster, Value: 'shared' }])
    const { actions } = await plan(graphFor(), { VPC: vpcId }, true)
    expect(actions.map(({ kind }) => kind)).toEqual(['delete'])
    await expect(destroy()).rejects.toThrow()
    expect(await balancers()).toEqual(['a1b2c3', 'web', 'web-pods'])
  })

  test('exclude those of a shoot with the same name and tags in another VPC', async () => {
    const { aws, destroy, group, groups, makeClassic, makeNetworkBalancer, balancers } = await setUp()
    const other = await makeNetwork(aws)
    await other.ec2.send(new CreateTagsCommand({ Resources: [other.vpcId], Tags }))
    await group('k8s-elb-a1b2c3', Tags, other)
    await makeClassic('a1b2c3', Tags, other)
    await makeNetworkBalancer('web', Tags, other)
    const before = await groups(other)
    await destroy()
    expect(await balancers()).toEqual(['a1b2c3', 'web', 'web-pods'])
    expect(await groups(other)).toEqual(before)
  })

  test('are found among more load balancers than one call returns tags for', async () => {
    const { destroy, makeClassic, balancers, plan, graphFor, vpcId } = await setUp()
    for (let index = 0; index < 25; index++)
      await makeClassic(`lb-${index}`, index === 23 ? Tags : [{ Key: cluster, Value: 'shared' }])
    const { actions } = await plan(graphFor(), { VPC: vpcId }, true)
    expect(actions.map(({ sentence }) => sentence)).toContain('delete classic load balancer lb-23 (lb-23)')
    await expect(destroy()).rejects.toThrow('DependencyViolation')
    expect(await balancers()).toHaveLength(24)
  })

  test('include target groups after their load balancer is gone', async () => {
    const { destroy, v2, vpcId, balancers } = await setUp()
    await v2.send(
      new elbv2.CreateTargetGroupCommand({ Name: 'pods', Protocol: 'TCP', Port: 80, VpcId: vpcId, Tags }),
    )
    await v2.send(
      new elbv2.CreateTargetGroupCommand({ Name: 'others', Protocol: 'TCP', Port: 80, VpcId: vpcId }),
    )
    await destroy()
    expect(await balancers()).toEqual(['others'])
  })

  // docs/contract/provider-aws-defects.md#nodes-group-among-the-leftovers
  test('include security groups of the cluster, but not those of the nodes or of others', async () => {
    const { destroy, group, groups } = await setUp()
    const nodes = await group('shoot--foo--bar-nodes')
    const given = await group('known')
    await group('k8s-elb-a1b2c3')
    await group('other', [{ Key: 'kubernetes.io/cluster/other', Value: 'owned' }])
    await group('mine', [
      { Key: cluster, Value: 'shared' },
      { Key: 'x', Value: 'owned' },
    ])
    await destroy({ NodesSecurityGroup: given })
    expect(nodes).not.toBe('')
    expect(await groups()).toEqual(['known', 'mine', 'nodes', 'other', 'shoot--foo--bar-nodes'])
  })

  test.each(['no call', 'RevokeSecurityGroupIngress'])(
    'include groups that refer to each other if the SDK repeats %s',
    async action => {
      const { aws, destroy, group, groups, allow } = await setUp()
      const [one, two, three] = [await group('one'), await group('two'), await group('three')]
      await allow(one, two)
      await allow(two, one)
      await allow(three, one)
      // The answer to the second call, after the first one took effect.
      const effect = { kind: 'error', code: 'InvalidPermission.NotFound', status: 400 } as const
      aws.faults.add({ action, when: 'after', times: null, effect })
      await destroy()
      expect(await groups()).toEqual(['nodes'])
    },
  )
})
