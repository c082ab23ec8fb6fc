import { beforeAll, expect, test } from 'vitest'
import type { AwsOptions } from '../simulator.ts'
import { failureOf } from '../testing/clients.ts'
import {
  type ClientName,
  type FurnishedAccount,
  furnish,
  send,
  serviceOf,
} from '../testing/furnished-account.ts'

let account: (options: AwsOptions) => FurnishedAccount
beforeAll(async () => {
  account = await furnish()
})

test.each<[ClientName, action: string, name: string]>([
  ['ec2', 'DescribeVpcs', 'UnauthorizedOperation'],
  ['efs', 'DescribeFileSystems', 'AccessDeniedException'],
  ['elb', 'DescribeLoadBalancers', 'AccessDenied'],
  ['elbv2', 'DescribeLoadBalancers', 'AccessDenied'],
  ['iam', 'ListRoles', 'AccessDenied'],
  ['route53', 'ListHostedZones', 'AccessDenied'],
  ['s3', 'ListBuckets', 'AccessDenied'],
  ['sts', 'GetCallerIdentity', 'AccessDenied'],
])('%s denies %s for a while with %s, and allows it again', async (service, action, name) => {
  const { aws, clock, clients } = account({})
  const act = () => send(clients, service, action, {})
  aws.faults.add({ service: serviceOf(service), action, lasts: 60_000, effect: { kind: 'denied' } })
  expect(await failureOf(act())).toMatchObject({ name, $metadata: { httpStatusCode: 403 } })
  await clock.advance(59_999)
  const { message } = await failureOf(act())
  expect(message).toContain('is not authorized to perform')
  await clock.advance(1)
  await act()
})

test('a denied write has no effect, and other actions are allowed', async () => {
  const { aws, clients, ids } = account({})
  aws.faults.add({ action: 'DeleteSubnet', lasts: 1_000, effect: { kind: 'denied' } })
  const [, SubnetId] = ids.subnets
  const failure = await failureOf(send(clients, 'ec2', 'DeleteSubnet', { SubnetId }))
  expect(failure.message).toContain(`ec2:DeleteSubnet on resource: arn:aws:ec2:*:*:subnet/${SubnetId}`)
  await send(clients, 'ec2', 'DescribeSubnets', { SubnetIds: [SubnetId] })
})

interface NotFound {
  readonly service: ClientName
  readonly action: string
  readonly name: string
  readonly id: (ids: FurnishedAccount['ids']) => string
  readonly input: (id: string, ids: FurnishedAccount['ids']) => object
}

const policy = ({ RoleName }: FurnishedAccount['ids']) => ({ RoleName, PolicyName: 'policy-0' })

const reads: readonly NotFound[] = [
  {
    ...{ service: 'ec2', action: 'DescribeSubnets', name: 'InvalidSubnetID.NotFound' },
    id: ({ subnets }) => String(subnets[1]),
    input: id => ({ SubnetIds: [id] }),
  },
  {
    ...{ service: 'ec2', action: 'DeleteSubnet', name: 'InvalidSubnetID.NotFound' },
    id: ({ subnets }) => String(subnets[4]),
    input: SubnetId => ({ SubnetId }),
  },
  {
    ...{ service: 'efs', action: 'DescribeFileSystems', name: 'FileSystemNotFound' },
    id: ({ FileSystemId }) => FileSystemId,
    input: FileSystemId => ({ FileSystemId }),
  },
  {
    ...{ service: 'elb', action: 'DescribeLoadBalancers', name: 'AccessPointNotFoundException' },
    id: () => 'classic-0',
    input: id => ({ LoadBalancerNames: [id] }),
  },
  {
    ...{ service: 'elbv2', action: 'DescribeLoadBalancers', name: 'LoadBalancerNotFoundException' },
    id: ({ balancer }) => balancer,
    input: id => ({ LoadBalancerArns: [id] }),
  },
  {
    ...{ service: 'iam', action: 'GetRole', name: 'NoSuchEntityException' },
    id: ({ RoleName }) => RoleName,
    input: RoleName => ({ RoleName }),
  },
  {
    ...{ service: 'iam', action: 'GetRolePolicy', name: 'NoSuchEntityException' },
    id: ({ RoleName }) => RoleName,
    input: (_, ids) => policy(ids),
  },
  {
    ...{ service: 'route53', action: 'ListResourceRecordSets', name: 'NoSuchHostedZone' },
    id: ({ HostedZoneId }) => HostedZoneId.replace('/hostedzone/', ''),
    input: HostedZoneId => ({ HostedZoneId }),
  },
  {
    ...{ service: 's3', action: 'GetBucketLocation', name: 'NoSuchBucket' },
    id: ({ Bucket }) => Bucket,
    input: Bucket => ({ Bucket }),
  },
]

test.each(reads.map(read => [read.service, read.action, read] as const))(
  'a resource that %s does not find for a while makes %s fail in its words',
  async (service, action, { name, id, input }) => {
    const { aws, clock, clients, ids } = account({})
    const hidden = id(ids)
    const act = () => send(clients, service, action, input(hidden, ids))
    const order = { service: serviceOf(service), action, lasts: 60_000 }
    const withdraw = aws.faults.add({ ...order, effect: { kind: 'not-found', id: 'another' } })
    if (action !== 'DeleteSubnet') await act()
    withdraw()
    aws.faults.add({ ...order, effect: { kind: 'not-found', id: hidden } })
    expect(await failureOf(act())).toMatchObject({ name })
    await clock.advance(59_999)
    expect(await failureOf(act())).toMatchObject({ name })
    await clock.advance(1)
    await act()
  },
)

test('a list lacks the resource that is not found, or all without an id', async () => {
  const { aws, clients, ids } = account({})
  const subnets = async () => {
    const { Subnets } = await send(clients, 'ec2', 'DescribeSubnets', {})
    return (Subnets as { SubnetId: string }[]).map(({ SubnetId }) => SubnetId)
  }
  const roles = async () => (await send(clients, 'iam', 'ListRoles', {})).Roles
  const all = await subnets()
  aws.faults.add({ action: 'DescribeSubnets', effect: { kind: 'not-found', id: ids.SubnetId } })
  expect(await subnets()).toEqual(all.filter(id => id !== ids.SubnetId))
  expect(await subnets()).toEqual(all)
  aws.faults.add({ effect: { kind: 'not-found' }, times: 2 })
  expect([await subnets(), await roles()]).toEqual([[], []])
  expect(await roles()).toHaveLength(5)
})
