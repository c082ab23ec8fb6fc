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

  test.each([
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
})

describe('target groups', () => {
  test('a missing target group is refused', async () => {
    const { client } = await newElbv2()
    const TargetGroupArn =
      'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/none/0123456789abcdef'
    const read = new elb.DescribeTargetGroupsCommand({ TargetGroupArns: [TargetGroupArn] })
    expect(await failureOf(client.send(read))).toMatchObject({
      name: 'TargetGroupNotFoundException',
      message: 'One or more target groups not found',
      $metadata: { httpStatusCode: 400 },
    })
  })

  test('a target group to which a listener forwards is not deleted', async () => {
    const { client, create, group, listen } = await newElbv2()
    const TargetGroupArn = await group()
    await listen((await create({ Type: 'network' })).LoadBalancerArn, TargetGroupArn)
    expect(await failureOf(client.send(new elb.DeleteTargetGroupCommand({ TargetGroupArn })))).toMatchObject({
      name: 'ResourceInUseException',
      message: expect.stringMatching(/is currently in use by a listener or a rule$/),
    })
  })
})
