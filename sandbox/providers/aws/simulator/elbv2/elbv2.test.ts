import { DeleteSubnetCommand } from '@aws-sdk/client-ec2'
import * as elb from '@aws-sdk/client-elastic-load-balancing-v2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf } from '../testing/clients.ts'
import { makeNetwork } from '../testing/network.ts'

const durations = {
  active: 120_000,
  interfacesReleased: 180_000,
  targetHealthy: 30_000,
  targetDrained: 300_000,
}

const newElbv2 = async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, elb: { durations } })
  const client = new elb.ElasticLoadBalancingV2Client(clientSettings(aws))
  const network = await makeNetwork(aws)
  const create = async (input: Partial<elb.CreateLoadBalancerCommandInput> = {}) => {
    const Subnets = [network.subnets[0], network.subnets[1]]
    const made = await client.send(new elb.CreateLoadBalancerCommand({ Name: 'web', Subnets, ...input }))
    return made.LoadBalancers?.[0] ?? {}
  }
  const describeAll = async () =>
    (await client.send(new elb.DescribeLoadBalancersCommand({}))).LoadBalancers ?? []
  const group = async (input: Partial<elb.CreateTargetGroupCommandInput> = {}) => {
    const made = await client.send(
      new elb.CreateTargetGroupCommand({
        Name: 'pods',
        Protocol: 'TCP',
        Port: 80,
        VpcId: network.vpcId,
        ...input,
      }),
    )
    return String(made.TargetGroups?.[0]?.TargetGroupArn)
  }
  const listen = async (LoadBalancerArn: string | undefined, TargetGroupArn: string, Port = 80) => {
    const made = await client.send(
      new elb.CreateListenerCommand({
        LoadBalancerArn,
        Protocol: 'TCP',
        Port,
        DefaultActions: [{ Type: 'forward', TargetGroupArn }],
      }),
    )
    return String(made.Listeners?.[0]?.ListenerArn)
  }
  return { aws, clock, client, network, create, describeAll, group, listen }
}

describe('load balancers', () => {
  test.each([
    ['application', 'app', /^web-\d{10}\.eu-west-1\.elb\.amazonaws\.com$/, 'Z32O12XQLNTSW2', 'interface'],
    [
      'network',
      'net',
      /^web-[0-9a-f]{16}\.elb\.eu-west-1\.amazonaws\.com$/,
      'Z2IFOLAFXWLO4F',
      'network_load_balancer',
    ],
  ] as const)(
    'a load balancer of type %s has its ARN, name and interfaces',
    async (Type, short, dnsName, zone, kind) => {
      const { create, network } = await newElbv2()
      const made = await create({ Type })
      expect(made).toMatchObject({
        LoadBalancerArn: expect.stringMatching(
          new RegExp(
            `^arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/${short}/web/[0-9a-f]{16}$`,
          ),
        ),
        DNSName: expect.stringMatching(dnsName),
        CanonicalHostedZoneId: zone,
        Type,
        Scheme: 'internet-facing',
        VpcId: network.vpcId,
        State: { Code: 'provisioning' },
        AvailabilityZones: [{ ZoneName: 'eu-west-1a' }, { ZoneName: 'eu-west-1b' }],
      })
      const path = made.LoadBalancerArn?.split(':loadbalancer/')[1]
      const interfaces = await network.interfaces()
      expect(interfaces.map(({ Description, InterfaceType }) => [Description, InterfaceType])).toEqual([
        [`ELB ${path}`, kind],
        [`ELB ${path}`, kind],
      ])
    },
  )

  test('a load balancer becomes active after a while', async () => {
    const { create, clock, describeAll } = await newElbv2()
    await create()
    await clock.advance(durations.active - 1)
    expect((await describeAll())[0]?.State).toEqual({ Code: 'provisioning' })
    await clock.advance(1)
    expect((await describeAll())[0]?.State).toEqual({ Code: 'active' })
  })

  test('a deleted load balancer leaves its interfaces for minutes and its target groups for good', async () => {
    const { client, clock, create, describeAll, group, listen, network } = await newElbv2()
    const { LoadBalancerArn } = await create({ Type: 'network' })
    const TargetGroupArn = await group()
    await listen(LoadBalancerArn, TargetGroupArn)
    await client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerArn }))
    expect(await describeAll()).toEqual([])
    expect(
      await failureOf(client.send(new elb.DescribeTargetGroupsCommand({ LoadBalancerArn }))),
    ).toMatchObject({ name: 'LoadBalancerNotFoundException', Code: 'LoadBalancerNotFound' })
    const { TargetGroups } = await client.send(new elb.DescribeTargetGroupsCommand({}))
    expect(TargetGroups).toMatchObject([{ TargetGroupArn, LoadBalancerArns: [] }])
    const deleteSubnet = () => network.ec2.send(new DeleteSubnetCommand({ SubnetId: network.subnets[1] }))
    expect(await failureOf(deleteSubnet())).toMatchObject({ name: 'DependencyViolation' })
    await clock.advance(durations.interfacesReleased)
    await deleteSubnet()
    await client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerArn }))
  })

  test('a repeated creation succeeds with the same settings and is refused with others', async () => {
    const { create, describeAll } = await newElbv2()
    const first = await create()
    expect((await create()).LoadBalancerArn).toBe(first.LoadBalancerArn)
    expect(await failureOf(create({ Type: 'network' }))).toMatchObject({
      Code: 'DuplicateLoadBalancerName',
      message: "A load balancer with the same name 'web' exists, but with different settings",
    })
    expect(await describeAll()).toHaveLength(1)
  })

  test('a protected load balancer cannot be deleted', async () => {
    const { client, create } = await newElbv2()
    const { LoadBalancerArn } = await create()
    const protect = (Value: string) =>
      client.send(
        new elb.ModifyLoadBalancerAttributesCommand({
          LoadBalancerArn,
          Attributes: [{ Key: 'deletion_protection.enabled', Value }],
        }),
      )
    const deletion = () => client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerArn }))
    await protect('true')
    expect(await failureOf(deletion())).toMatchObject({ Code: 'OperationNotPermitted' })
    await protect('false')
    await deletion()
  })

  test.each([
    [{ Subnets: ['subnet-none'] }, 'ValidationError'],
    [{ Type: 'network', Subnets: ['subnet-none'] }, 'SubnetNotFound'],
    [{ SecurityGroups: ['sg-none'] }, 'InvalidSecurityGroup'],
    [{ Name: 'internal-x' }, 'ValidationError'],
    [{ Name: '-x' }, 'ValidationError'],
    [
      {
        Tags: [
          { Key: 'a', Value: '' },
          { Key: 'a', Value: '' },
        ],
      },
      'DuplicateTagKeys',
    ],
  ] as const)('a file system with %j is refused', async (input, Code) => {
    const { create, describeAll, network } = await newElbv2()
    expect(
      await failureOf(create(input as unknown as Partial<elb.CreateLoadBalancerCommandInput>)),
    ).toMatchObject({ Code })
    expect(await describeAll()).toEqual([])
    expect(await network.interfaces()).toEqual([])
  })

  test('load balancers are found by name and by ARN, in pages', async () => {
    const { client, create } = await newElbv2()
    const arns: (string | undefined)[] = []
    for (const Name of ['c', 'a', 'b']) arns.push((await create({ Name, Type: 'network' })).LoadBalancerArn)
    const pages: (string | undefined)[][] = []
    for await (const page of elb.paginateDescribeLoadBalancers({ client }, { PageSize: 2 })) {
      pages.push((page.LoadBalancers ?? []).map(each => each.LoadBalancerName))
    }
    expect(pages).toEqual([['c', 'a'], ['b']])
    const named = await client.send(new elb.DescribeLoadBalancersCommand({ Names: ['a'] }))
    expect(named.LoadBalancers?.map(each => each.LoadBalancerArn)).toEqual([arns[1]])
    expect(
      await failureOf(client.send(new elb.DescribeLoadBalancersCommand({ Names: ['none'] }))),
    ).toMatchObject({ Code: 'LoadBalancerNotFound', $metadata: { httpStatusCode: 400 } })
    expect(
      await failureOf(client.send(new elb.DescribeLoadBalancersCommand({ LoadBalancerArns: ['none'] }))),
    ).toMatchObject({ Code: 'ValidationError' })
  })
})

describe('target groups', () => {
  test('a target group is in use while a listener forwards to it', async () => {
    const { client, create, group, listen } = await newElbv2()
    const { LoadBalancerArn } = await create({ Type: 'network' })
    const TargetGroupArn = await group()
    const ListenerArn = await listen(LoadBalancerArn, TargetGroupArn)
    const { TargetGroups } = await client.send(new elb.DescribeTargetGroupsCommand({ LoadBalancerArn }))
    expect(TargetGroups).toMatchObject([
      {
        TargetGroupArn,
        LoadBalancerArns: [LoadBalancerArn],
        TargetType: 'instance',
        HealthCheckProtocol: 'TCP',
      },
    ])
    const deletion = () => client.send(new elb.DeleteTargetGroupCommand({ TargetGroupArn }))
    expect(await failureOf(deletion())).toMatchObject({
      name: 'ResourceInUseException',
      Code: 'ResourceInUse',
      message: `Target group '${TargetGroupArn}' is currently in use by a listener or a rule`,
    })
    await client.send(new elb.DeleteListenerCommand({ ListenerArn }))
    await deletion()
    await deletion()
    expect(
      await failureOf(
        client.send(new elb.DescribeTargetGroupsCommand({ TargetGroupArns: [TargetGroupArn] })),
      ),
    ).toMatchObject({ Code: 'TargetGroupNotFound', message: 'One or more target groups not found' })
  })

  test('a target group name cannot be reused with other settings', async () => {
    const { group } = await newElbv2()
    const arn = await group()
    expect(await group()).toBe(arn)
    expect(await failureOf(group({ Port: 81 }))).toMatchObject({ Code: 'DuplicateTargetGroupName' })
    expect(await failureOf(group({ Name: 'x', VpcId: 'vpc-none' }))).toMatchObject({
      Code: 'ValidationError',
    })
  })
})

describe('listeners', () => {
  test('a listener has a unique port and is deleted with its load balancer', async () => {
    const { client, create, group, listen } = await newElbv2()
    const { LoadBalancerArn } = await create({ Type: 'network' })
    const TargetGroupArn = await group()
    const ListenerArn = await listen(LoadBalancerArn, TargetGroupArn)
    expect(await failureOf(listen(LoadBalancerArn, TargetGroupArn))).toMatchObject({
      Code: 'DuplicateListener',
    })
    expect(await failureOf(listen(LoadBalancerArn, `${TargetGroupArn}0`, 81))).toMatchObject({
      Code: 'TargetGroupNotFound',
    })
    const { Listeners } = await client.send(new elb.DescribeListenersCommand({ LoadBalancerArn }))
    expect(Listeners).toMatchObject([{ ListenerArn, Port: 80, DefaultActions: [{ TargetGroupArn }] }])
    await client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerArn }))
    expect(await failureOf(client.send(new elb.DeleteListenerCommand({ ListenerArn })))).toMatchObject({
      Code: 'ListenerNotFound',
    })
  })
})

test('load balancers, target groups and listeners can be tagged', async () => {
  const { client, create, group } = await newElbv2()
  const Tags = [{ Key: 'kubernetes.io/cluster/shoot', Value: 'owned' }]
  const { LoadBalancerArn = '' } = await create({ Tags })
  const ResourceArns = [LoadBalancerArn, await group()]
  const tags = async () =>
    (await client.send(new elb.DescribeTagsCommand({ ResourceArns }))).TagDescriptions?.map(each => each.Tags)
  expect(await tags()).toEqual([Tags, []])
  await client.send(new elb.AddTagsCommand({ ResourceArns, Tags: [{ Key: 'a', Value: 'b' }] }))
  expect(await tags()).toEqual([[...Tags, { Key: 'a', Value: 'b' }], [{ Key: 'a', Value: 'b' }]])
  const missing = [LoadBalancerArn.replace('/web/', '/none/')]
  expect(await failureOf(client.send(new elb.DescribeTagsCommand({ ResourceArns: missing })))).toMatchObject({
    Code: 'LoadBalancerNotFound',
  })
})
