import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  CreateVpcCommand,
  DescribeSubnetsCommand,
  EC2Client,
  ModifyVpcAttributeCommand,
} from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { failureOf } from '../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { clusterOf, namespace, type ObjectParts, zones } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

const start = Date.parse('2026-11-21T00:00:00Z')
const [zoneA] = zones(1)
const { workers: _, ...zoneWithoutWorkers } = zoneA ?? {}
const ipv6 = clusterOf({
  networking: { ipFamilies: ['IPv6'], nodes: undefined, pods: undefined, services: undefined },
})

const setUp = (parts: ObjectParts) => {
  const clock = virtualClock(start)
  const { requestHandler } = shuffledAws({ clock, ec2: { durations: { scale: 1 } } })
  return { clock, requestHandler, ...stepsOver(requestHandler, clock, parts) }
}

test('the zone of an IPv6-only shoot needs no CIDR for its workers', async () => {
  const { until, status, step } = setUp({ zones: [zoneWithoutWorkers] })
  await until('reconcile', { cluster: ipv6 })
  const { providerStatus } = status() as { providerStatus: { vpc: { subnets: readonly object[] } } }
  expect(providerStatus.vpc.subnets).toHaveLength(3)
  expect(await step('reconcile', {}, { cluster: ipv6 })).toMatchObject({ kind: 'done' })
})

test('the zone of a shoot with IPv4 needs a CIDR', async () => {
  const { until } = setUp({ zones: [zoneWithoutWorkers] })
  const error = await failureOf(until('reconcile'))
  expect(error).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
  expect(error.message).toBe(
    'spec.providerConfig.networks.zones[0]: expected workers (a CIDR) or workersSubnetID, found neither',
  )
})

test('load balancer subnets that only one zone names are found by their tags in another', async () => {
  const clock = virtualClock(start)
  const { requestHandler } = shuffledAws({ clock, ec2: { durations: { scale: 1 }, defaultVpc: false } })
  const credentials = { accessKeyId: 'AKIAOPERATOR', secretAccessKey: 'operator' }
  const ec2 = new EC2Client({ region: 'eu-west-1', credentials, requestHandler })
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.250.0.0/16' }))
  const VpcId = Vpc?.VpcId
  await ec2.send(new ModifyVpcAttributeCommand({ VpcId, EnableDnsHostnames: { Value: true } }))
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
  const InternetGatewayId = InternetGateway?.InternetGatewayId
  await ec2.send(new AttachInternetGatewayCommand({ VpcId, InternetGatewayId }))
  const subnetIn = async (letter: string, CidrBlock: string, role?: string): Promise<string> => {
    const AvailabilityZone = `eu-west-1${letter}`
    const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock, AvailabilityZone }))
    const id = Subnet?.SubnetId ?? ''
    if (role !== undefined) {
      const Tags = [
        { Key: `kubernetes.io/cluster/${namespace}`, Value: 'shared' },
        { Key: `kubernetes.io/role/${role}`, Value: '1' },
      ]
      await ec2.send(new CreateTagsCommand({ Resources: [id], Tags }))
    }
    return id
  }
  const named = {
    workersSubnetID: await subnetIn('a', '10.250.0.0/20'),
    publicSubnetID: await subnetIn('a', '10.250.48.0/20'),
    internalSubnetID: await subnetIn('a', '10.250.112.0/22'),
  }
  const workersB = await subnetIn('b', '10.250.16.0/20')
  const publicB = await subnetIn('b', '10.250.64.0/20', 'elb')
  const internalB = await subnetIn('b', '10.250.128.0/22', 'internal-elb')
  const { until, status } = stepsOver(requestHandler, clock, {
    vpc: { id: VpcId },
    zones: [
      { name: 'eu-west-1a', ...named },
      { name: 'eu-west-1b', workersSubnetID: workersB },
    ],
  })
  await until('reconcile')
  const { providerStatus } = status() as { providerStatus: { vpc: { subnets: readonly object[] } } }
  expect(providerStatus.vpc.subnets).toEqual([
    { purpose: 'nodes', id: named.workersSubnetID, zone: 'eu-west-1a' },
    { purpose: 'internal', id: named.internalSubnetID, zone: 'eu-west-1a' },
    { purpose: 'public', id: named.publicSubnetID, zone: 'eu-west-1a' },
    { purpose: 'nodes', id: workersB, zone: 'eu-west-1b' },
    { purpose: 'internal', id: internalB, zone: 'eu-west-1b' },
    { purpose: 'public', id: publicB, zone: 'eu-west-1b' },
  ])
  await until('remove')
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: [publicB, internalB] }))
  expect(Subnets.map(({ Tags = [] }) => Tags.map(({ Key }) => Key)).toSorted()).toEqual([
    ['kubernetes.io/role/elb'],
    ['kubernetes.io/role/internal-elb'],
  ])
})

test('an existing repeated zone counts once, and a new one is refused', async () => {
  const seed = setUp({})
  await seed.until('reconcile')
  const before = seed.status()
  const twice = zones(2).map(zone => ({ ...zone, name: 'eu-west-1a' }))
  seed.change({ zones: twice })
  await seed.until('reconcile')
  expect(seed.status()).toEqual(before)
  const other = setUp({ zones: twice })
  expect((await failureOf(other.until('reconcile'))).message).toMatch(
    /zones\[1\]\.name: expected a unique value, found "eu-west-1a"/,
  )
})
