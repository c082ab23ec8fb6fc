import {
  AuthorizeSecurityGroupIngressCommand,
  CreateEgressOnlyInternetGatewayCommand,
  CreateRouteCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  DeleteVpcCommand,
  DescribeCustomerGatewaysCommand,
  DescribeInstancesCommand,
  DescribeInternetGatewaysCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSubnetsCommand,
  DescribeTagsCommand,
  DescribeVpcAttributeCommand,
  DescribeVpcsCommand,
  EC2Client,
  ModifyVpcAttributeCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf } from '../testing/clients.ts'
import type { Ec2Settings } from './core/context.ts'
import { newAccountLimits } from './core/limits.ts'
import { ec2Rates } from './service.ts'
import * as network from './testing/network.ts'

const setUp = (ec2: Ec2Settings = {}) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({ clock, ec2 })
  return { clock, aws, client: network.ec2ClientOf(aws) }
}

const vpcIds = async (client: EC2Client, input: ConstructorParameters<typeof DescribeVpcsCommand>[0] = {}) =>
  (await client.send(new DescribeVpcsCommand(input))).Vpcs?.map(({ VpcId }) => VpcId)

describe('a fresh region', () => {
  test('the default VPC has a gateway, a route to it and a public subnet in each zone', async () => {
    const { client } = setUp()
    const { Vpcs } = await client.send(new DescribeVpcsCommand({}))
    expect(Vpcs).toMatchObject([{ CidrBlock: '172.31.0.0/16', IsDefault: true, State: 'available' }])
    const { Subnets } = await client.send(new DescribeSubnetsCommand({}))
    expect(
      Subnets?.map(subnet => [subnet.AvailabilityZone, subnet.CidrBlock, subnet.MapPublicIpOnLaunch]),
    ).toEqual([
      ['eu-west-1a', '172.31.0.0/20', true],
      ['eu-west-1b', '172.31.16.0/20', true],
      ['eu-west-1c', '172.31.32.0/20', true],
    ])
    const { InternetGateways } = await client.send(new DescribeInternetGatewaysCommand({}))
    const gateway = InternetGateways?.[0]
    expect(gateway?.Attachments).toEqual([{ State: 'available', VpcId: Vpcs?.[0]?.VpcId }])
    const { RouteTables } = await client.send(new DescribeRouteTablesCommand({}))
    expect(RouteTables?.[0]?.Routes?.map(route => [route.DestinationCidrBlock, route.GatewayId])).toEqual([
      ['172.31.0.0/16', 'local'],
      ['0.0.0.0/0', gateway?.InternetGatewayId],
    ])
  })

  test('the region is empty if the default VPC is disabled', async () => {
    expect(await vpcIds(setUp({ defaultVpc: false }).client)).toEqual([])
  })

  test('the region is isolated from other regions and accounts', async () => {
    const { aws, client } = setUp({ defaultVpc: false })
    await network.newVpc(client)
    aws.account('222222222222').register({ accessKeyId: 'AKIATWO', secretAccessKey: 'two' })
    const other = network.ec2ClientOf(aws, { accessKeyId: 'AKIATWO', secretAccessKey: 'two' })
    expect(await vpcIds(other)).toEqual([])
    expect(await vpcIds(client)).toHaveLength(1)
  })
})

test('a snapshot is JSON and restores the account with its indexes', async () => {
  const { aws, client } = setUp()
  const { vpcId, subnetId } = await network.newNetwork(client, { name: 'kept' })
  const snapshot = JSON.parse(JSON.stringify(aws.account().snapshot()))
  await network.newVpc(client)
  const again = createAws()
  again.account().restore(snapshot)
  const restored = network.ec2ClientOf(again)
  expect(await vpcIds(restored)).toHaveLength(2)
  expect(await vpcIds(restored, { Filters: [{ Name: 'tag:Name', Values: ['kept'] }] })).toEqual([vpcId])
  const { Subnets } = await restored.send(
    new DescribeSubnetsCommand({ Filters: [{ Name: 'vpc-id', Values: [vpcId] }] }),
  )
  expect(Subnets?.map(({ SubnetId }) => SubnetId)).toEqual([subnetId])
})

describe('an unsupported parameter', () => {
  test.each([
    [
      'the parameter Ipv6Pool of CreateVpc',
      () => new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', Ipv6Pool: 'x' }),
    ],
    [
      'the parameter OutpostArn of CreateSubnet',
      () => new CreateSubnetCommand({ VpcId: 'vpc-1', CidrBlock: '10.0.0.0/24', OutpostArn: 'arn:x' }),
    ],
  ])('the error names the parameter: %s', async (text, command) => {
    const { aws, client } = setUp()
    expect(await failureOf(client.send(command() as CreateVpcCommand))).toMatchObject({
      name: 'UnsupportedOperation',
      message: `The simulator does not support ${text}.`,
    })
    expect(aws.notBuilt.take()).toHaveLength(1)
  })

  test('a nested parameter is refused with its path', async () => {
    const { aws, client } = setUp()
    const failure = await failureOf(
      client.send(
        new RunInstancesCommand({
          MinCount: 1,
          MaxCount: 1,
          NetworkInterfaces: [{ DeviceIndex: 0 }, { DeviceIndex: 1, AssociateCarrierIpAddress: true }],
        }),
      ),
    )
    expect(failure.message).toBe(
      'The simulator does not support the parameter NetworkInterfaces.2.AssociateCarrierIpAddress of RunInstances.',
    )
    expect(aws.notBuilt.take()).toHaveLength(1)
  })
})

test('an unknown operation returns InvalidAction with its name', async () => {
  const { aws, client } = setUp()
  expect(await failureOf(client.send(new DescribeCustomerGatewaysCommand({})))).toMatchObject({
    name: 'InvalidAction',
    message: 'The action DescribeCustomerGateways is not valid for this web service.',
  })
  expect(aws.notBuilt.take()).toEqual(['ec2:DescribeCustomerGateways'])
})

test('a dry run reports that the call would succeed, and changes nothing', async () => {
  const { client } = setUp({ defaultVpc: false })
  const failure = await failureOf(
    client.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', DryRun: true })),
  )
  expect(failure).toMatchObject({
    name: 'DryRunOperation',
    message: 'Request would have succeeded, but DryRun flag is set.',
    $metadata: { httpStatusCode: 412 },
  })
  expect(await vpcIds(client)).toEqual([])
})

test('an access key without the permission gets an error that names the missing permission', async () => {
  const { aws } = setUp()
  aws
    .account()
    .register({ accessKeyId: 'AKIAREAD', secretAccessKey: 's', allow: ['ec2:Describe*'], user: 'reader' })
  const client = network.ec2ClientOf(aws, { accessKeyId: 'AKIAREAD', secretAccessKey: 's' })
  expect(await vpcIds(client)).toHaveLength(1)
  const failure = await failureOf(client.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' })))
  expect(failure).toMatchObject({ name: 'UnauthorizedOperation', $metadata: { httpStatusCode: 403 } })
  expect(failure.message).toContain(
    'User: arn:aws:iam::123456789012:user/reader is not authorized to perform: ec2:CreateVpc',
  )
})

describe('a missing parameter', () => {
  test.each([
    ['VpcId', () => new CreateSubnetCommand({ CidrBlock: '10.0.0.0/24' } as never)],
    ['cidrBlock', () => new CreateVpcCommand({})],
  ])('the error names the parameter: %s', async (name, command) => {
    const { client } = setUp()
    expect(await failureOf(client.send(command() as CreateVpcCommand))).toMatchObject({
      name: 'MissingParameter',
      message: `The request must contain the parameter ${name}`,
    })
  })
})

describe('pages', () => {
  test('a page has the requested size and continues after the previous one, even if resources are deleted', async () => {
    const { client } = setUp({ defaultVpc: false })
    const ids: string[] = []
    for (let index = 0; index < 12; index++) ids.push(await network.newVpc(client))
    const first = await client.send(new DescribeVpcsCommand({ MaxResults: 5 }))
    expect(first.Vpcs?.map(({ VpcId }) => VpcId)).toEqual(ids.slice(0, 5))
    await client.send(new DeleteVpcCommand({ VpcId: ids[4] ?? '' }))
    const second = await client.send(new DescribeVpcsCommand({ MaxResults: 5, NextToken: first.NextToken }))
    expect(second.Vpcs?.map(({ VpcId }) => VpcId)).toEqual(ids.slice(5, 10))
    const third = await client.send(new DescribeVpcsCommand({ MaxResults: 5, NextToken: second.NextToken }))
    expect(third.Vpcs?.map(({ VpcId }) => VpcId)).toEqual(ids.slice(10))
    expect(third.NextToken).toBeUndefined()
  })

  test.each([
    [{ MaxResults: 4 }, 'InvalidParameterValue'],
    [{ NextToken: 'nonsense' }, 'InvalidNextToken'],
    [{ MaxResults: 10, VpcIds: ['vpc-12345678'] }, 'InvalidParameterCombination'],
  ])('a page with %o is refused', async (input, name) => {
    const { client } = setUp()
    expect(await failureOf(client.send(new DescribeVpcsCommand(input)))).toMatchObject({ name })
  })
})

describe('eventual consistency', () => {
  test('a new resource is unknown to other calls at first, if a delay is set', async () => {
    const { clock, client } = setUp({ visibleAfter: 2_000, defaultVpc: false })
    const vpcId = await network.newVpc(client)
    expect(await failureOf(client.send(new DescribeVpcsCommand({ VpcIds: [vpcId] })))).toMatchObject({
      name: 'InvalidVpcID.NotFound',
    })
    expect(await vpcIds(client)).toEqual([])
    expect(await failureOf(network.newSubnet(client, vpcId))).toMatchObject({ name: 'InvalidVpcID.NotFound' })
    await clock.advance(2_000)
    expect(await vpcIds(client, { VpcIds: [vpcId] })).toEqual([vpcId])
  })

  test('describing calls show a changed or deleted resource in its previous state for a while', async () => {
    const { clock, client } = setUp({ visibleAfter: 2_000, defaultVpc: false })
    const VpcId = await network.newVpc(client)
    await clock.advance(2_000)
    const attribute = async () =>
      (await client.send(new DescribeVpcAttributeCommand({ VpcId, Attribute: 'enableDnsHostnames' })))
        .EnableDnsHostnames?.Value
    const named = [{ Name: 'tag:Name', Values: ['shoot'] }]
    await client.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsHostnames: { Value: true } }))
    await client.send(new CreateTagsCommand({ Resources: [VpcId], Tags: [{ Key: 'Name', Value: 'shoot' }] }))
    expect(await attribute()).toBe(false)
    expect(await vpcIds(client, { Filters: named })).toEqual([])
    await clock.advance(1_000)
    await client.send(new DeleteVpcCommand({ VpcId }))
    expect(await vpcIds(client, { VpcIds: [VpcId] })).toEqual([VpcId])
    expect(await failureOf(client.send(new DeleteVpcCommand({ VpcId })))).toMatchObject({
      name: 'InvalidVpcID.NotFound',
    })
    await clock.advance(1_000)
    expect(await vpcIds(client, { Filters: named })).toEqual([VpcId])
    await clock.advance(1_000)
    expect(await vpcIds(client)).toEqual([])
  })

  test('changes of tags and rules also become visible late', async () => {
    const { clock, client } = setUp({ visibleAfter: 2_000, defaultVpc: false })
    const VpcId = await network.newVpc(client)
    await clock.advance(2_000)
    const GroupId = await network.newGroup(client, VpcId)
    await clock.advance(2_000)
    const IpPermissions = [{ IpProtocol: '-1', UserIdGroupPairs: [{ GroupId }] }]
    await client.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions }))
    await client.send(new CreateTagsCommand({ Resources: [GroupId], Tags: [{ Key: 'k', Value: 'v' }] }))
    const counts = async () => {
      const Filters = [{ Name: 'group-id', Values: [GroupId] }]
      const rules = await client.send(new DescribeSecurityGroupRulesCommand({ Filters }))
      const tags = await client.send(new DescribeTagsCommand({}))
      return [rules.SecurityGroupRules?.length, tags.Tags?.length]
    }
    expect(await counts()).toEqual([1, 0])
    await clock.advance(2_000)
    expect(await counts()).toEqual([2, 1])
  })

  test('a resource that was created before the clock was set back is visible', async () => {
    const aws = createAws({ clock: virtualClock(1_000_000) })
    const vpcId = await network.newVpc(network.ec2ClientOf(aws))
    const earlier = createAws({ clock: virtualClock(0) })
    earlier.account().restore(aws.account().snapshot())
    expect(await vpcIds(network.ec2ClientOf(earlier), { VpcIds: [vpcId] })).toEqual([vpcId])
  })
})

describe('limits', () => {
  test('by default there are no limits', async () => {
    const { client } = setUp()
    for (let count = 0; count < 7; count++) await network.newAddress(client)
    expect(await network.newAddress(client)).toMatch(/^eipalloc-/)
  })

  test('a new account has the limits of AWS', async () => {
    const { client } = setUp({ limits: newAccountLimits })
    for (let count = 0; count < 4; count++) await network.newVpc(client)
    expect(await failureOf(network.newVpc(client))).toMatchObject({
      name: 'VpcLimitExceeded',
      message: 'The maximum number of VPCs has been reached.',
    })
    for (let count = 0; count < 5; count++) await network.newAddress(client)
    expect(await failureOf(network.newAddress(client))).toMatchObject({
      name: 'AddressLimitExceeded',
      message: 'The maximum number of addresses has been reached.',
    })
  })

  test.each([
    [
      'subnets',
      'SubnetLimitExceeded',
      (client: EC2Client, vpcId: string) => network.newSubnet(client, vpcId, '10.0.9.0/24'),
    ],
    ['routeTables', 'RouteTableLimitExceeded', network.newRouteTable],
    [
      'securityGroups',
      'SecurityGroupLimitExceeded',
      (client: EC2Client, vpcId: string) => network.newGroup(client, vpcId, 'more'),
    ],
    [
      'internetGateways',
      'InternetGatewayLimitExceeded',
      (client: EC2Client) => network.newInternetGateway(client),
    ],
    [
      'egressOnlyGateways',
      'EgressOnlyInternetGatewayLimitExceeded',
      (client: EC2Client, VpcId: string) =>
        client.send(new CreateEgressOnlyInternetGatewayCommand({ VpcId })),
    ],
    [
      'routes',
      'RouteLimitExceeded',
      async (client: EC2Client, vpcId: string) => {
        const GatewayId = await network.newInternetGateway(client, vpcId)
        const RouteTableId = await network.newRouteTable(client, vpcId)
        const DestinationCidrBlock = '0.0.0.0/0'
        return client.send(new CreateRouteCommand({ RouteTableId, DestinationCidrBlock, GatewayId }))
      },
    ],
  ] as const)('exceeding the limit on %s returns %s', async (name, code, make) => {
    const { client } = setUp({ limits: { [name]: 0 }, defaultVpc: false })
    const vpcId = await network.newVpc(client)
    expect(await failureOf(make(client, vpcId) as Promise<unknown>)).toMatchObject({ name: code })
  })
})

test('calls beyond the documented rates are throttled in EC2’s words', async () => {
  const clock = virtualClock(0)
  const client = network.ec2ClientOf(createAws({ clock, rates: ec2Rates }))
  const create = () => network.newAddress(client)
  for (let count = 0; count < 50; count++) await create()
  expect(await failureOf(create())).toMatchObject({
    name: 'RequestLimitExceeded',
    message: 'Request limit exceeded.',
    $metadata: { httpStatusCode: 503 },
  })
  await clock.advance(200)
  await create()
})

describe('the rate limit bucket', () => {
  const throttled = { name: 'RequestLimitExceeded' }

  test('lists without a filter use the smaller bucket', async () => {
    const client = network.ec2ClientOf(createAws({ clock: virtualClock(0), rates: ec2Rates }))
    const all = () => client.send(new DescribeInstancesCommand({}))
    const Filters = [{ Name: 'vpc-id', Values: ['vpc-1'] }]
    for (let count = 0; count < 50; count++) await all()
    expect(await failureOf(all())).toMatchObject(throttled)
    for (let count = 0; count < 50; count++) await client.send(new DescribeInstancesCommand({ Filters }))
    expect(await failureOf(client.send(new DescribeInstancesCommand({ Filters })))).toMatchObject(throttled)
  })

  test('launches use the bucket that counts instances', async () => {
    const client = network.ec2ClientOf(createAws({ clock: virtualClock(0), rates: ec2Rates }))
    const run = (count: number) =>
      client.send(new RunInstancesCommand({ ImageId: 'ami-0', MinCount: count, MaxCount: count }))
    expect(await failureOf(run(1001))).toMatchObject(throttled)
    expect(await failureOf(run(1000))).toMatchObject({ name: 'InvalidAMIID.Malformed' })
    expect(await failureOf(run(1))).toMatchObject(throttled)
  })

  test('each region has its own bucket', async () => {
    const aws = createAws({ clock: virtualClock(0), rates: { 'ec2:*': { burst: 1, perSecond: 0 } } })
    const here = network.ec2ClientOf(aws)
    const there = new EC2Client({ ...clientSettings(aws), region: 'us-east-1' })
    await vpcIds(here)
    expect(await failureOf(vpcIds(here))).toMatchObject(throttled)
    expect(await vpcIds(there)).toHaveLength(1)
  })
})
