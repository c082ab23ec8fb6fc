import * as ec2 from '@aws-sdk/client-ec2'
import * as efs from '@aws-sdk/client-efs'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../testing/clients.ts'
import {
  bucket,
  type Clients,
  most,
  newRole,
  newSubnet,
  newVpc,
  newWorld,
  policy,
  profile,
  type Resource,
  region,
  resources,
  role,
  trust,
  type World,
} from './testing/late-resources.ts'

const missing = /NotFound|NoSuch|DoesNotExist|404/

/** Returns true if a read finds the resource. A read of another kind of failure fails. */
const finds = (read: Promise<{ readonly length: number } | undefined>): Promise<boolean> =>
  read.then(
    found => (found?.length ?? 1) > 0,
    (error: Error) => {
      if (!missing.test(error.name)) throw error
      return false
    },
  )

const rows = Object.entries(resources)

/** Reads every twelve seconds until all calls must see the write. */
const watch = async ({ clock, clients }: World, { read }: Resource, id: string) => {
  const seen: boolean[] = []
  for (let waited = 0; waited < most; waited += 12_000) {
    seen.push(await finds(read(clients, id)))
    await clock.advance(12_000)
  }
  return seen
}

/** Creates and removes a resource with several seeds. Returns what the reads after each of both saw. */
const livesOf = async (resource: Resource) => {
  const lives = []
  for (let seed = 1; seed <= 14; seed++) {
    const world = newWorld({ lag: { seed, most } })
    await resource.prepare?.(world.owner)
    await world.clock.advance(most)
    const id = await resource.create(world.clients)
    const created = await watch(world, resource, id)
    expect(await finds(resource.read(world.clients, id))).toBe(true)
    await resource.remove(world.clients, id)
    const removed = await watch(world, resource, id)
    expect(await finds(resource.read(world.clients, id))).toBe(false)
    lives.push({ created, removed })
  }
  return lives
}

const goesBack = (seen: readonly boolean[], from: boolean) =>
  seen.some((now, index) => now === from && seen.slice(0, index).includes(!from))

describe('late writes', () => {
  test.each(rows)(
    '%s is missing and still there for a while, also after a read showed otherwise',
    async (_, resource) => {
      const lives = await livesOf(resource)
      expect(lives.some(({ created }) => created[0] === false)).toBe(true)
      expect(lives.some(({ created }) => created.every(Boolean))).toBe(true)
      expect(lives.some(({ removed }) => removed[0] === true)).toBe(true)
      expect(lives.some(({ created, removed }) => goesBack(created, false) || goesBack(removed, true))).toBe(
        true,
      )
    },
  )

  test.each(rows)('without the option, all calls see %s at once', async (_, resource) => {
    const world = newWorld({})
    await resource.prepare?.(world.owner)
    const id = await resource.create(world.clients)
    expect(await finds(resource.read(world.clients, id))).toBe(true)
    await resource.remove(world.clients, id)
    expect(await finds(resource.read(world.clients, id))).toBe(false)
  })

  test('the same seed shows the same, another seed does not', async () => {
    const seen = async (seed: number) => {
      const world = newWorld({ lag: { seed, most } })
      await newRole(world.clients)
      return watch(world, resources['a role'] as Resource, '')
    }
    const seeds = Array.from({ length: 12 }, (_, index) => index)
    const all = await Promise.all(seeds.map(seed => seen(seed)))
    expect(await Promise.all(seeds.map(seed => seen(seed)))).toEqual(all)
    expect(new Set(all.map(String)).size).toBeGreaterThan(3)
  })
})

/** Returns a world in which no call sees a write for the time. */
const blind = (services?: readonly string[]) =>
  newWorld({ lag: { seed: 7, most, least: most, ...(services && { services }) } })

describe('writes that name a resource which their endpoint does not see', () => {
  const refused: readonly (readonly [string, string, (clients: Clients) => Promise<unknown>])[] = [
    ['EC2', 'InvalidVpcID.NotFound', newSubnet],
    [
      'IAM, for a role',
      'NoSuchEntityException',
      async clients => {
        await newRole(clients)
        return clients.iam.send(new iam.PutRolePolicyCommand({ ...policy, PolicyDocument: trust }))
      },
    ],
    [
      'IAM, for an instance profile',
      'NoSuchEntityException',
      async clients => {
        await clients.iam.send(new iam.CreateInstanceProfileCommand(profile))
        return clients.iam.send(new iam.AddRoleToInstanceProfileCommand({ ...profile, ...role }))
      },
    ],
    [
      'EFS',
      'FileSystemNotFound',
      async ({ efs: client }) => {
        const { FileSystemId } = await client.send(new efs.CreateFileSystemCommand({ CreationToken: 'a' }))
        return client.send(new efs.CreateMountTargetCommand({ FileSystemId, SubnetId: 'subnet-1' }))
      },
    ],
    [
      'S3',
      'NoSuchBucket',
      async ({ s3: client }) => {
        await client.send(new s3.CreateBucketCommand({ ...bucket, ...region }))
        return client.send(new s3.PutObjectCommand({ ...bucket, Key: 'a', Body: 'b' }))
      },
    ],
    [
      'ELBv2',
      'TargetGroupNotFoundException',
      async clients => {
        const { Vpcs = [] } = await clients.ec2.send(new ec2.DescribeVpcsCommand({}))
        const group = { Name: 'a', Protocol: 'TCP', Port: 80, VpcId: Vpcs[0]?.VpcId } as const
        const made = await clients.elbv2.send(new elbv2.CreateTargetGroupCommand(group))
        const arn = String(made.TargetGroups?.[0]?.TargetGroupArn)
        return clients.elbv2.send(new elbv2.DescribeTagsCommand({ ResourceArns: [arn] }))
      },
    ],
  ]

  test.each(refused)('%s refuses them with %s', async (_, name, act) => {
    expect(await failureOf(act(blind().clients))).toMatchObject({ name })
  })

  test('a creation is refused although its endpoint does not see the resource', async () => {
    const { clients } = blind()
    await newRole(clients)
    expect(await failureOf(newRole(clients))).toMatchObject({ name: 'EntityAlreadyExistsException' })
  })

  test('EFS and load balancers do not know a subnet or group of EC2 yet', async () => {
    const { owner, clients, clock } = blind(['elasticfilesystem', 'elb'])
    const { FileSystemId } = await owner.efs.send(new efs.CreateFileSystemCommand({ CreationToken: 'a' }))
    await clock.advance(most)
    const SubnetId = await newSubnet(clients)
    const target = { FileSystemId, SubnetId }
    const mount = (input: object = {}) =>
      clients.efs.send(new efs.CreateMountTargetCommand({ ...target, ...input }))
    expect(await failureOf(mount())).toMatchObject({ name: 'SubnetNotFound' })
    const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 80 }]
    const balancer = { LoadBalancerName: 'a', Listeners, Subnets: [SubnetId] }
    const balance = () => clients.elb.send(new elb.CreateLoadBalancerCommand(balancer))
    expect(await failureOf(balance())).toMatchObject({ name: 'SubnetNotFoundException' })
    await clock.advance(most)
    const { Subnets = [] } = await clients.ec2.send(new ec2.DescribeSubnetsCommand({ SubnetIds: [SubnetId] }))
    const group = { GroupName: 'a', Description: 'a', VpcId: Subnets[0]?.VpcId }
    const { GroupId = '' } = await clients.ec2.send(new ec2.CreateSecurityGroupCommand(group))
    const SecurityGroups = [GroupId]
    expect(await failureOf(mount({ SecurityGroups }))).toMatchObject({ name: 'SecurityGroupNotFound' })
    await clock.advance(most)
    await mount({ SecurityGroups })
    await balance()
  })

  test('EC2 does not know an instance profile of IAM yet', async () => {
    const { owner, clients, clock } = blind()
    const SubnetId = await newSubnet(owner)
    await clock.advance(most)
    await owner.iam.send(new iam.CreateInstanceProfileCommand(profile))
    await newRole(owner)
    await owner.iam.send(new iam.AddRoleToInstanceProfileCommand({ ...profile, ...role }))
    const { Images = [] } = await clients.ec2.send(new ec2.DescribeImagesCommand({ Owners: ['amazon'] }))
    const ImageId = Images.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId
    const run = () =>
      clients.ec2.send(
        new ec2.RunInstancesCommand({
          ...{ ImageId, InstanceType: 'm5.large', SubnetId, MinCount: 1, MaxCount: 1 },
          IamInstanceProfile: { Name: 'nodes' },
        }),
      )
    expect(await failureOf(run())).toMatchObject({ name: 'InvalidParameterValue' })
    await clock.advance(most)
    await run()
  })
})

describe('current data', () => {
  test('objects in a bucket are consistent at once', async () => {
    const { clients, owner, clock } = blind()
    await owner.s3.send(new s3.CreateBucketCommand({ ...bucket, ...region }))
    await clock.advance(most)
    await clients.s3.send(new s3.PutObjectCommand({ ...bucket, Key: 'a', Body: 'b' }))
    const keys = async () => (await clients.s3.send(new s3.ListObjectsV2Command(bucket))).KeyCount
    expect(await keys()).toBe(1)
    await clients.s3.send(new s3.DeleteObjectCommand({ ...bucket, Key: 'a' }))
    expect(await keys()).toBe(0)
  })

  test('records and zones of Route 53 are consistent at once', async () => {
    const { clients } = blind()
    const { HostedZone } = await clients.route53.send(
      new route53.CreateHostedZoneCommand({ Name: 'example.com', CallerReference: 'a' }),
    )
    const Id = String(HostedZone?.Id)
    await clients.route53.send(new route53.GetHostedZoneCommand({ Id }))
  })

  test('the operator sees all writes, and the others see the operator’s late', async () => {
    const { clients, owner } = blind()
    const VpcIds = [await newVpc(owner)]
    const read = (by: Clients) => by.ec2.send(new ec2.DescribeVpcsCommand({ VpcIds }))
    expect((await read(owner)).Vpcs).toHaveLength(1)
    expect(await failureOf(read(clients))).toMatchObject({ name: 'InvalidVpcID.NotFound' })
  })

  test('only the given services are late', async () => {
    const { clients } = blind(['iam'])
    await newSubnet(clients)
    await newRole(clients)
    expect(await failureOf(clients.iam.send(new iam.GetRoleCommand(role)))).toBeInstanceOf(Error)
  })

  test('resources that were added without a call are there at once', async () => {
    const { aws, clients } = blind()
    const snapshot = newWorld({})
    await newRole(snapshot.clients)
    aws.account().restore(snapshot.aws.account().snapshot())
    await clients.iam.send(new iam.GetRoleCommand(role))
  })
})

test('no read fails for another reason while writes are late', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const { clients, owner, clock } = newWorld({ lag: { seed, most } })
    const VpcId = await newVpc(owner)
    const { Subnet: { SubnetId } = {} } = await owner.ec2.send(
      new ec2.CreateSubnetCommand({ VpcId, CidrBlock: '10.0.0.0/24' }),
    )
    const ServiceName = 'com.amazonaws.eu-west-1.ec2'
    const endpoint = {
      VpcId,
      ServiceName,
      VpcEndpointType: 'Interface',
      SubnetIds: [String(SubnetId)],
    } as const
    await owner.ec2.send(new ec2.CreateVpcEndpointCommand({ ...endpoint, SubnetIds: [String(SubnetId)] }))
    const { AllocationId } = await owner.ec2.send(new ec2.AllocateAddressCommand({}))
    const { InternetGateway } = await owner.ec2.send(new ec2.CreateInternetGatewayCommand({}))
    const gateway = { InternetGatewayId: InternetGateway?.InternetGatewayId, VpcId }
    await owner.ec2.send(new ec2.AttachInternetGatewayCommand(gateway))
    await owner.ec2.send(new ec2.CreateNatGatewayCommand({ SubnetId, AllocationId }))
    const reads = [
      new ec2.DescribeVpcsCommand({}),
      new ec2.DescribeSubnetsCommand({}),
      new ec2.DescribeRouteTablesCommand({}),
      new ec2.DescribeSecurityGroupsCommand({}),
      new ec2.DescribeNetworkInterfacesCommand({}),
      new ec2.DescribeNatGatewaysCommand({}),
      new ec2.DescribeAddressesCommand({}),
      new ec2.DescribeVpcEndpointsCommand({}),
      new ec2.DescribeInternetGatewaysCommand({}),
    ]
    for (let round = 0; round < 5; round++) {
      for (const read of reads) await clients.ec2.send(read as ec2.DescribeVpcsCommand)
      await clock.advance(10_000)
    }
  }
})

test('an item that a listing shows twice has its older form first', async () => {
  const { clients, owner, clock } = newWorld({ pages: { seed: 7, most: 1, repeated: 1, omitted: 0 } })
  const vpcs = await Promise.all([1, 2, 3].map(() => newVpc(owner)))
  await clock.advance(most)
  const Tags = [{ Key: 'a', Value: 'b' }]
  await owner.ec2.send(new ec2.CreateTagsCommand({ Resources: vpcs, Tags }))
  const forms = new Set<string>()
  for (let index = 0; index < 10; index++) {
    const found = new Map<string, string>()
    for (let NextToken: string | undefined, more = true; more; more = NextToken !== undefined) {
      const answer = await clients.ec2.send(new ec2.DescribeVpcsCommand({ ...(NextToken && { NextToken }) }))
      for (const { VpcId = '', Tags: own = [] } of answer.Vpcs ?? []) {
        if (vpcs.includes(VpcId)) found.set(VpcId, `${found.get(VpcId) ?? ''} ${own.length}`)
      }
      NextToken = answer.NextToken
    }
    for (const form of found.values()) forms.add(form)
  }
  expect([...forms].toSorted()).toEqual([' 0 1', ' 1'])
})
