import {
  AllocateAddressCommand,
  AssociateDhcpOptionsCommand,
  AssociateRouteTableCommand,
  AttachInternetGatewayCommand,
  CreateDhcpOptionsCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateNatGatewayCommand,
  CreateRouteTableCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  CreateVpcEndpointCommand,
  DeleteDhcpOptionsCommand,
  DeleteNatGatewayCommand,
  DescribeAddressesCommand,
  DescribeDhcpOptionsCommand,
  DescribeRouteTablesCommand,
  DescribeTagsCommand,
  ReleaseAddressCommand,
  type ResourceType,
} from '@aws-sdk/client-ec2'
import { CreateFileSystemCommand, DescribeMountTargetsCommand, EFSClient } from '@aws-sdk/client-efs'
import {
  CreateLoadBalancerCommand,
  DescribeLoadBalancersCommand,
  ElasticLoadBalancingClient,
} from '@aws-sdk/client-elastic-load-balancing'
import { describe, expect, test } from 'vitest'
import { markTag } from '../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import { makeVpc } from '../../../test/infrastructure/account.ts'
import { retainedType } from './retained-condition.ts'
import { startAccount } from './testing/account.ts'
import { operator } from './testing/account-contents.ts'
import { namespace, type ObjectParts, zones } from './testing/objects.ts'

const withoutKey = { spec: { sshPublicKey: undefined } } as unknown as ObjectParts

const setUp = () => {
  const account = startAccount()
  const { ec2 } = account
  const tags = (Type: ResourceType, Name = namespace) => ({
    TagSpecifications: [
      {
        ResourceType: Type,
        Tags: [
          { Key: `kubernetes.io/cluster/${namespace}`, Value: 'owned' },
          { Key: 'Name', Value: Name },
        ],
      },
    ],
  })
  const marks = async () => {
    const filter = { Name: 'key', Values: [markTag] }
    const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters: [filter] }))
    return Tags.map(({ ResourceId, Value }) => `${ResourceId} ${Value}`).sort()
  }
  return { ...account, tags, marks }
}
type World = ReturnType<typeof setUp>

const conditionOf = (shoot: ReturnType<World['shoot']>) =>
  shoot.status().conditions?.find(({ type }) => type === retainedType)

/** Creates a foreign resource of each type with the exact tags of the cluster, in another VPC. */
const theirs = async ({ ec2, tags }: World): Promise<string> => {
  const { DhcpOptions } = await ec2.send(
    new CreateDhcpOptionsCommand({
      DhcpConfigurations: [{ Key: 'domain-name', Values: ['example.com'] }],
      ...tags('dhcp-options'),
    }),
  )
  expect(DhcpOptions).toBeDefined()
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16', ...tags('vpc') }))
  const VpcId = String(Vpc?.VpcId)
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand(tags('internet-gateway')))
  await ec2.send(
    new AttachInternetGatewayCommand({ VpcId, InternetGatewayId: InternetGateway?.InternetGatewayId }),
  )
  await ec2.send(
    new CreateEgressOnlyInternetGatewayCommand({ VpcId, ...tags('egress-only-internet-gateway') }),
  )
  const { Subnet } = await ec2.send(
    new CreateSubnetCommand({
      VpcId,
      CidrBlock: '10.250.0.0/19',
      AvailabilityZone: 'eu-west-1a',
      ...tags('subnet', `${namespace}-nodes-z0`),
    }),
  )
  const { AllocationId } = await ec2.send(
    new AllocateAddressCommand({ ...tags('elastic-ip', `${namespace}-eip-natgw-z0`) }),
  )
  await ec2.send(
    new CreateNatGatewayCommand({
      SubnetId: Subnet?.SubnetId,
      AllocationId,
      ...tags('natgateway', `${namespace}-natgw-z0`),
    }),
  )
  await ec2.send(new CreateRouteTableCommand({ VpcId, ...tags('route-table') }))
  await ec2.send(
    new CreateSecurityGroupCommand({
      VpcId,
      GroupName: `${namespace}-nodes`,
      Description: 'x',
      ...tags('security-group', `${namespace}-nodes`),
    }),
  )
  await ec2.send(
    new CreateVpcEndpointCommand({
      VpcId,
      ServiceName: 'com.amazonaws.eu-west-1.s3',
      ...tags('vpc-endpoint', `${namespace}-gw-s3`),
    }),
  )
  return VpcId
}

describe('resources of another landscape with the tags of this cluster', () => {
  const unlike = (before: readonly string[], after: readonly string[]) =>
    before.filter(line => !after.includes(line))

  test('are retained when the shoot is created beside them, reconciled and deleted, and are reported once', async () => {
    const world = setUp()
    await theirs(world)
    const before = await world.contents()
    const ours = world.shoot()
    await ours.until('reconcile')
    expect(unlike(before, await world.contents())).toEqual([])
    expect(conditionOf(ours)?.message).toContain('no record or tag shows that it belongs to this object')
    const recorded = conditionOf(ours)
    world.writes()
    await ours.until('reconcile')
    expect(world.writes()).toEqual([])
    expect(conditionOf(ours)).toEqual(recorded)
    await ours.until('remove')
    expect(await world.contents()).toEqual(before)
  })

  test('are retained when they appear later', async () => {
    const world = setUp()
    const none = await world.contents()
    const ours = world.shoot()
    await ours.until('reconcile')
    expect(conditionOf(ours)).toBeUndefined()
    const own = await world.contents()
    await theirs(world)
    const all = await world.contents()
    world.writes()
    await ours.until('reconcile')
    expect(world.writes()).toEqual([])
    await ours.until('remove')
    const gone = own.filter(line => !none.includes(line))
    expect(await world.contents()).toEqual(all.filter(line => !gone.includes(line)))
  })

  test('and a whole shoot of the same name: neither changes the other, and role and profile are shared', async () => {
    const world = setUp()
    const other = world.shoot({ metadata: { uid: 'another-uid' } })
    await other.until('reconcile')
    const before = await world.contents()
    const ours = world.shoot(withoutKey)
    await ours.until('reconcile')
    expect(unlike(before, await world.contents())).toEqual([])
    expect(ours.status().providerStatus).toMatchObject({
      iam: { instanceProfiles: [{ name: `${namespace}-nodes` }] },
    })
    world.writes()
    await ours.until('reconcile')
    await other.until('reconcile')
    expect(world.writes()).toEqual([])
    await ours.until('remove')
    expect(await world.contents()).toEqual(before)
  })
})

describe('a resource in use by the network of another landscape, with the tags of this cluster', () => {
  test('is not adopted for a missing resource of this shoot', async () => {
    const world = setUp()
    const ours = world.shoot()
    await ours.until('reconcile')
    const others = await theirs(world)
    const data = () => (ours.status().state as { data: Record<string, string> }).data
    const addresses = async () => (await world.ec2.send(new DescribeAddressesCommand({}))).Addresses ?? []
    // Our resource is deleted by hand, so that only the foreign one has its name.
    const { VPC, DHCPOptions } = data()
    const { DhcpOptions: all = [] } = await world.ec2.send(new DescribeDhcpOptionsCommand({}))
    const otherOptions = all.find(
      ({ DhcpOptionsId, Tags = [] }) =>
        DhcpOptionsId !== DHCPOptions && Tags.some(({ Value }) => Value === namespace),
    )
    await world.ec2.send(
      new AssociateDhcpOptionsCommand({ VpcId: others, DhcpOptionsId: otherOptions?.DhcpOptionsId }),
    )
    await world.ec2.send(new AssociateDhcpOptionsCommand({ VpcId: VPC, DhcpOptionsId: 'default' }))
    await world.ec2.send(new DeleteDhcpOptionsCommand({ DhcpOptionsId: DHCPOptions }))
    const NatGatewayId = data()['Zones/eu-west-1a/NATGateway']
    await world.ec2.send(new DeleteNatGatewayCommand({ NatGatewayId }))
    await world.clock.advance(120_000)
    const AllocationId = data()['Zones/eu-west-1a/NATGatewayElasticIP']
    await world.ec2.send(new ReleaseAddressCommand({ AllocationId }))
    const [otherAddress] = await addresses()

    await ours.until('reconcile')
    expect(data().DHCPOptions).not.toBe(otherOptions?.DhcpOptionsId)
    expect(data()['Zones/eu-west-1a/NATGatewayElasticIP']).not.toBe(otherAddress?.AllocationId)
    await ours.until('remove')
    const left = await world.contents()
    for (const id of [otherOptions?.DhcpOptionsId, otherAddress?.AllocationId, others])
      expect(left.join('\n')).toContain(String(id))
  })
})

describe('the mount target of another landscape, in the VPC and the file system of the user', () => {
  test('is retained when a shoot of the same name fails to create its own, and when that shoot is deleted', async () => {
    const world = setUp()
    const efs = new EFSClient(operator(world.aws.requestHandler))
    const id = (await makeVpc(world.aws.requestHandler)).get('vpc-00000000000000001')
    const { FileSystemId } = await efs.send(new CreateFileSystemCommand({ CreationToken: 'of the user' }))
    await world.clock.advance(60_000)
    const targets = async () => {
      const { MountTargets = [] } = await efs.send(new DescribeMountTargetsCommand({ FileSystemId }))
      return MountTargets.map(({ MountTargetId, LifeCycleState }) => `${MountTargetId} ${LifeCycleState}`)
    }
    const parts = { vpc: { id }, rest: { elasticFileSystem: { enabled: true, id: FileSystemId } } }
    await world.shoot({ ...parts, metadata: { uid: 'another-uid' } }).until('reconcile')
    const [before, theirTargets] = [await world.contents(), await targets()]
    expect(theirTargets).toEqual([expect.stringMatching(/ available$/)])

    const [zone] = zones(1)
    const elsewhere = {
      ...zone,
      workers: '10.250.128.0/19',
      public: '10.250.200.0/22',
      internal: '10.250.204.0/22',
    }
    const ours = world.shoot({ ...parts, ...withoutKey, zones: [elsewhere] })
    for (let count = 0; count < 3; count++) {
      await ours.step('reconcile').catch(() => undefined)
      await world.clock.advance(60_000)
      expect(await targets()).toEqual(theirTargets)
    }
    await ours.until('remove')
    expect(await targets()).toEqual(theirTargets)
    expect(await world.contents()).toEqual(before)
  })
})

describe('load balancers and groups of the controllers of another landscape, in the VPC of the user', () => {
  test('are retained when a shoot of the same name cannot be created there and is deleted, and are deleted with their own shoot', async () => {
    const world = setUp()
    const elb = new ElasticLoadBalancingClient(operator(world.aws.requestHandler))
    const id = (await makeVpc(world.aws.requestHandler)).get('vpc-00000000000000001')
    const none = await world.contents()
    const other = world.shoot({ vpc: { id }, metadata: { uid: 'another-uid' } })
    await other.until('reconcile')
    const { data } = other.status().state as { data: Record<string, string> }
    const { GroupId = '' } = await world.ec2.send(
      new CreateSecurityGroupCommand({
        VpcId: id,
        GroupName: 'k8s-elb-a1',
        Description: 'x',
        ...world.tags('security-group', 'k8s-elb-a1'),
      }),
    )
    await elb.send(
      new CreateLoadBalancerCommand({
        LoadBalancerName: 'a1',
        Listeners: [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 30_000 }],
        Subnets: [data['Zones/eu-west-1a/SubnetPublicUtility'] ?? ''],
        SecurityGroups: [GroupId],
        Tags: [{ Key: `kubernetes.io/cluster/${namespace}`, Value: 'owned' }],
      }),
    )
    const balancers = async () => {
      const { LoadBalancerDescriptions = [] } = await elb.send(new DescribeLoadBalancersCommand({}))
      return LoadBalancerDescriptions.map(({ LoadBalancerName }) => LoadBalancerName)
    }
    const before = await world.contents()
    const [zone] = zones(1)
    const elsewhere = {
      ...zone,
      workers: '10.250.128.0/19',
      public: '10.250.200.0/22',
      internal: '10.250.204.0/22',
    }
    const ours = world.shoot({ vpc: { id }, ...withoutKey, zones: [elsewhere] })
    for (let count = 0; count < 3; count++) {
      await ours.step('reconcile').catch(() => undefined)
      await world.clock.advance(60_000)
    }
    await ours.until('remove')
    expect(await balancers()).toEqual(['a1'])
    expect(await world.contents()).toEqual(before)
    await other.until('remove')
    expect(await balancers()).toEqual([])
    expect(await world.contents()).toEqual(none)
  })
})

describe('the half-created remains of a shoot of another landscape, with its own mark', () => {
  test.each([13, 40, 60])('are retained (cut off at call number %i)', async last => {
    const world = setUp()
    const other = world.shoot({ ...withoutKey, metadata: { uid: 'another-uid' } })
    let calls = 0
    const cut = () => {
      if (++calls > last) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    }
    await other.step('reconcile', { before: cut }).catch(() => undefined)
    const before = await world.contents()
    const marked = await world.marks()
    expect(marked.length).toBeGreaterThan(0)
    const ours = world.shoot(withoutKey)
    // The role may be half-created, too. Then this step reports it.
    await ours.until('reconcile').catch(() => undefined)
    expect((await world.contents()).length).toBeGreaterThan(before.length)
    await ours.until('remove')
    expect(await world.contents()).toEqual(before)
    expect(await world.marks()).toEqual(marked)
  })
})

describe('a route table of the user in the VPC with the tags of the cluster', () => {
  test.each([[true], [false]])('in use: %s: is retained, and nothing fails because of it', async inUse => {
    const { shoot, ec2, tags, writes } = setUp()
    const ours = shoot()
    await ours.until('reconcile')
    const { data } = ours.status().state as { data: Record<string, string> }
    const made = await ec2.send(
      new CreateRouteTableCommand({ VpcId: data.VPC, ...tags('route-table', 'mine') }),
    )
    const RouteTableId = String(made.RouteTable?.RouteTableId)
    if (inUse) {
      const { Subnet } = await ec2.send(
        new CreateSubnetCommand({ VpcId: data.VPC, CidrBlock: '10.250.200.0/24' }),
      )
      await ec2.send(new AssociateRouteTableCommand({ RouteTableId, SubnetId: Subnet?.SubnetId }))
    }
    writes()
    await ours.until('reconcile')
    expect(writes()).toEqual([])
    expect(conditionOf(ours)?.message).toBe(
      `Orphaned: route table mine (${RouteTableId}): no record or tag shows that it belongs to this object`,
    )
    const { RouteTables } = await ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [RouteTableId] }))
    expect(RouteTables).toHaveLength(1)
  })
})

test('no resource has a mark after all are recorded', async () => {
  const { shoot, marks, aws } = setUp()
  const ours = shoot()
  await ours.until('reconcile')
  const unmarkings = aws.calls.all().filter(({ action }) => action === 'DeleteTags')
  expect(await marks()).toEqual([])
  expect(unmarkings).toHaveLength(1)
})
