import {
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocks, namespace } from '../../functions/aws/bastion/testing/objects.ts'
import { stepsOver } from '../../functions/aws/bastion/testing/steps.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { type AwsRequestHandler, createRequestHandler } from '../../terraform-free-infra/aws/account/aws.ts'
import { type RunningMoto, startMoto } from './moto.ts'
import { describeWith } from './with-part.ts'

/** Sends AWS requests to a server, and counts them. */
const handlerTo = (url: string) => {
  const { hostname, port } = new URL(url)
  const calls: string[] = []
  const real = createRequestHandler()
  const handler: AwsRequestHandler = {
    handle: (request, options) => {
      calls.push(new URLSearchParams(String(request.body)).get('Action') ?? '')
      return real.handle(Object.assign(request, { protocol: 'http:', hostname, port: Number(port) }), options)
    },
  }
  return { handler, calls }
}

describeWith('python', 'a bastion on moto', programs => {
  let moto: RunningMoto
  beforeAll(async () => {
    moto = await startMoto(programs)
  })
  afterAll(() => moto?.close())

  test('is created, left unchanged, updated and deleted', async () => {
    const ec2 = new EC2Client({
      region: 'eu-west-1',
      endpoint: moto.url,
      credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
    })
    const named = (ResourceType: 'subnet', Value: string) => ({
      TagSpecifications: [{ ResourceType, Tags: [{ Key: 'Name', Value }] }],
    })
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))
    const VpcId = String(Vpc?.VpcId)
    await ec2.send(
      new CreateSubnetCommand({
        VpcId,
        CidrBlock: '10.250.96.0/22',
        ...named('subnet', `${namespace}-public-utility-z0`),
      }),
    )
    await ec2.send(
      new CreateSecurityGroupCommand({
        VpcId,
        GroupName: `${namespace}-nodes`,
        Description: 'Security group for nodes',
      }),
    )
    const instances = async () =>
      ((await ec2.send(new DescribeInstancesCommand({}))).Reservations ?? [])
        .flatMap(({ Instances = [] }) => Instances)
        .filter(({ State }) => State?.Name !== 'terminated')
    const groups = async () =>
      (await ec2.send(new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'vpc-id', Values: [VpcId] }] })))
        .SecurityGroups ?? []
    const { handler, calls } = handlerTo(moto.url)
    const { until, change } = stepsOver(handler, virtualClock(Date.now()), {
      spec: { ingress: blocks('203.0.113.7/32') },
    })

    const { status } = await until('reconcile')
    const [instance] = await instances()
    expect(status?.ingress).toEqual({ ip: instance?.PublicIpAddress, hostname: instance?.PublicDnsName })

    calls.length = 0
    await until('reconcile')
    expect(calls.toSorted()).toEqual(['DescribeInstances', 'DescribeSecurityGroups', 'DescribeSubnets'])

    change({ spec: { ingress: blocks('198.51.100.0/24', '2001:db8::/64') } })
    calls.length = 0
    await until('reconcile')
    expect(calls.filter(action => !action.startsWith('Describe'))).toEqual([
      'AuthorizeSecurityGroupIngress',
      'RevokeSecurityGroupIngress',
    ])
    const own = (await groups()).find(({ GroupName }) => GroupName === `${namespace}-cli-abc-bsg`)
    expect(own?.IpPermissions).toMatchObject([
      { IpRanges: [{ CidrIp: '198.51.100.0/24' }], Ipv6Ranges: [{ CidrIpv6: '2001:db8::/64' }] },
    ])

    await until('remove')
    expect(await instances()).toEqual([])
    expect((await groups()).map(({ GroupName }) => GroupName).sort()).toEqual([
      'default',
      `${namespace}-nodes`,
    ])
  })
})
