import { DeleteSecurityGroupCommand, DeleteSubnetCommand } from '@aws-sdk/client-ec2'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf } from '../testing/clients.ts'
import { makeNetwork } from '../testing/network.ts'

const interfacesReleased = 180_000
const Tags = [{ Key: 'kubernetes.io/cluster/shoot', Value: 'owned' }]

const newElb = async () => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, elb: { durations: { interfacesReleased } } })
  const client = new elb.ElasticLoadBalancingClient(clientSettings(aws))
  const network = await makeNetwork(aws)
  const create = (input: Partial<elb.CreateLoadBalancerCommandInput> = {}) =>
    client.send(
      new elb.CreateLoadBalancerCommand({
        LoadBalancerName: 'a1b2c3',
        Listeners: [{ Protocol: 'tcp', LoadBalancerPort: 443, InstancePort: 30443 }],
        Subnets: [network.subnets[0], network.subnets[1]],
        SecurityGroups: [network.groupId],
        Tags,
        ...input,
      }),
    )
  const describeAll = async () =>
    (await client.send(new elb.DescribeLoadBalancersCommand({}))).LoadBalancerDescriptions ?? []
  return { aws, clock, client, network, create, describeAll }
}

describe('classic load balancers', () => {
  test('a load balancer has a unique name in its region, and an interface in each of its subnets', async () => {
    const { network, create, describeAll } = await newElb()
    const { DNSName } = await create()
    expect(DNSName).toMatch(/^a1b2c3-\d{10}\.eu-west-1\.elb\.amazonaws\.com$/)
    expect(await describeAll()).toMatchObject([
      {
        DNSName,
        CanonicalHostedZoneNameID: 'Z32O12XQLNTSW2',
        VPCId: network.vpcId,
        Subnets: [network.subnets[0], network.subnets[1]],
        AvailabilityZones: ['eu-west-1a', 'eu-west-1b'],
        SecurityGroups: [network.groupId],
        SourceSecurityGroup: { GroupName: 'nodes' },
        Scheme: 'internet-facing',
        ListenerDescriptions: [{ Listener: { Protocol: 'TCP', InstanceProtocol: 'TCP' } }],
      },
    ])
    const interfaces = await network.interfaces()
    expect(interfaces.map(({ Description, RequesterId }) => [Description, RequesterId])).toEqual([
      ['ELB a1b2c3', 'amazon-elb'],
      ['ELB a1b2c3', 'amazon-elb'],
    ])
  })

  test('a deleted load balancer leaves interfaces that hold its subnets and its group for minutes', async () => {
    const { client, clock, network, create, describeAll } = await newElb()
    await create()
    await client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerName: 'a1b2c3' }))
    expect(await describeAll()).toEqual([])
    const deletions = () => [
      network.ec2.send(new DeleteSubnetCommand({ SubnetId: network.subnets[0] })),
      network.ec2.send(new DeleteSecurityGroupCommand({ GroupId: network.groupId })),
    ]
    for (const deletion of deletions()) {
      expect(await failureOf(deletion)).toMatchObject({ name: 'DependencyViolation' })
    }
    await clock.advance(interfacesReleased)
    expect(await network.interfaces()).toEqual([])
    await Promise.all(deletions())
  })

  test('the deletion of a missing load balancer succeeds, its description is refused', async () => {
    const { client } = await newElb()
    await client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerName: 'none' }))
    const refusal = {
      name: 'AccessPointNotFoundException',
      Code: 'LoadBalancerNotFound',
      message: "There is no ACTIVE Load Balancer named 'none'",
      $metadata: { httpStatusCode: 400 },
    }
    const LoadBalancerNames = ['none']
    expect(
      await failureOf(client.send(new elb.DescribeLoadBalancersCommand({ LoadBalancerNames }))),
    ).toMatchObject(refusal)
    expect(await failureOf(client.send(new elb.DescribeTagsCommand({ LoadBalancerNames })))).toMatchObject(
      refusal,
    )
  })

  test('file systems are listed in pages', async () => {
    const { client, create } = await newElb()
    for (const LoadBalancerName of ['c', 'a', 'b']) await create({ LoadBalancerName })
    const pages: (string | undefined)[][] = []
    for await (const page of elb.paginateDescribeLoadBalancers({ client }, { PageSize: 2 })) {
      pages.push((page.LoadBalancerDescriptions ?? []).map(each => each.LoadBalancerName))
    }
    expect(pages).toEqual([['c', 'a'], ['b']])
  })

  test.each([
    [{ Subnets: ['subnet-none'] }, 'SubnetNotFoundException'],
    [{ AvailabilityZones: ['eu-west-1a'] }, 'NotImplemented'],
  ])('a file system with %j is refused', async (input, name) => {
    const { aws, create, describeAll, network } = await newElb()
    expect(await failureOf(create(input))).toMatchObject({ name })
    expect(aws.notBuilt.take()).toHaveLength(name === 'NotImplemented' ? 1 : 0)
    expect(await describeAll()).toEqual([])
    expect(await network.interfaces()).toEqual([])
  })
})

test('both load balancer services use the same permissions', async () => {
  const { aws } = await newElb()
  const key = { accessKeyId: 'AKIALB', secretAccessKey: 'x' }
  aws.account().register({ ...key, allow: ['elasticloadbalancing:Describe*'] })
  const client = new elb.ElasticLoadBalancingClient(clientSettings(aws, key))
  await expect(client.send(new elb.DescribeLoadBalancersCommand({}))).resolves.toBeDefined()
  expect(
    await failureOf(client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerName: 'a' }))),
  ).toMatchObject({
    name: 'AccessDenied',
    message: expect.stringContaining('elasticloadbalancing:DeleteLoadBalancer'),
  })
})
