import * as ec2 from '@aws-sdk/client-ec2'
import * as efs from '@aws-sdk/client-efs'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import { virtualClock } from '../../../../../../shared/clock/clock.ts'
import { operatorCredentials } from '../../operator.ts'
import { type AwsOptions, createAws } from '../../simulator.ts'
import { clientSettings } from '../../testing/clients.ts'
import { countedBytes } from '../../testing/counted-bytes.ts'

export const most = 90_000
const instant = { durations: { scale: 0 } }

const clientsOf = (settings: ReturnType<typeof clientSettings>) => ({
  ec2: new ec2.EC2Client(settings),
  efs: new efs.EFSClient(settings),
  elb: new elb.ElasticLoadBalancingClient(settings),
  elbv2: new elbv2.ElasticLoadBalancingV2Client(settings),
  iam: new iam.IAMClient(settings),
  route53: new route53.Route53Client(settings),
  s3: new s3.S3Client(settings),
})

export type Clients = ReturnType<typeof clientsOf>

export const newWorld = (options: AwsOptions = { lag: { seed: 7, most } }) => {
  const clock = virtualClock(Date.parse('2026-01-01T00:00:00Z'))
  const aws = createAws({
    clock,
    bytes: countedBytes(),
    ec2: instant,
    efs: instant,
    elb: instant,
    iam: instant,
    ...options,
  })
  return {
    aws,
    clock,
    clients: clientsOf(clientSettings(aws)),
    owner: clientsOf(clientSettings(aws, operatorCredentials)),
  }
}

export type World = ReturnType<typeof newWorld>

export const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

export const newVpc = async ({ ec2: client }: Clients) =>
  String((await client.send(new ec2.CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }))).Vpc?.VpcId)

export const newSubnet = async (clients: Clients) => {
  const VpcId = await newVpc(clients)
  const { Subnet } = await clients.ec2.send(new ec2.CreateSubnetCommand({ VpcId, CidrBlock: '10.0.0.0/24' }))
  return String(Subnet?.SubnetId)
}

export const newRole = ({ iam: client }: Clients, RoleName = 'nodes') =>
  client.send(new iam.CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }))

export const role = { RoleName: 'nodes' }
export const policy = { ...role, PolicyName: 'nodes' }
export const profile = { InstanceProfileName: 'nodes' }
export const bucket = { Bucket: 'backup' }
export const region = { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } } as const

export interface Resource {
  readonly create: (clients: Clients) => Promise<string>
  readonly read: (clients: Clients, id: string) => Promise<{ readonly length: number } | undefined>
  readonly remove: (clients: Clients, id: string) => Promise<unknown>
  /** Creates what the resource needs. */
  readonly prepare?: (owner: Clients) => Promise<unknown>
}

const describeVpcs = (input: (id: string) => ec2.DescribeVpcsCommandInput): Resource => ({
  create: newVpc,
  read: async ({ ec2: client }, id) => (await client.send(new ec2.DescribeVpcsCommand(input(id)))).Vpcs,
  remove: ({ ec2: client }, VpcId) => client.send(new ec2.DeleteVpcCommand({ VpcId })),
})

export const resources: Readonly<Record<string, Resource>> = {
  'a VPC by id': describeVpcs(id => ({ VpcIds: [id] })),
  'a VPC by a filter': describeVpcs(id => ({ Filters: [{ Name: 'vpc-id', Values: [id] }] })),
  'a key pair by name': {
    create: async ({ ec2: client }) => {
      await client.send(new ec2.CreateKeyPairCommand({ KeyName: 'key' }))
      return 'key'
    },
    read: async ({ ec2: client }, id) =>
      (await client.send(new ec2.DescribeKeyPairsCommand({ KeyNames: [id] }))).KeyPairs,
    remove: ({ ec2: client }, KeyName) => client.send(new ec2.DeleteKeyPairCommand({ KeyName })),
  },
  'a tag of a VPC': {
    create: async clients => {
      const { Vpcs = [] } = await clients.ec2.send(new ec2.DescribeVpcsCommand({}))
      const id = String(Vpcs[0]?.VpcId)
      const Tags = [{ Key: 'a', Value: 'b' }]
      await clients.ec2.send(new ec2.CreateTagsCommand({ Resources: [id], Tags }))
      return id
    },
    read: async ({ ec2: client }) =>
      (await client.send(new ec2.DescribeTagsCommand({ Filters: [{ Name: 'key', Values: ['a'] }] }))).Tags,
    remove: ({ ec2: client }, id) =>
      client.send(new ec2.DeleteTagsCommand({ Resources: [id], Tags: [{ Key: 'a' }] })),
  },
  'a role': {
    create: async clients => String((await newRole(clients)).Role?.RoleName),
    read: async ({ iam: client }) => void (await client.send(new iam.GetRoleCommand(role))),
    remove: ({ iam: client }) => client.send(new iam.DeleteRoleCommand(role)),
  },
  'a role in a list': {
    create: async clients => String((await newRole(clients)).Role?.RoleName),
    read: async ({ iam: client }) => (await client.send(new iam.ListRolesCommand({}))).Roles,
    remove: ({ iam: client }) => client.send(new iam.DeleteRoleCommand(role)),
  },
  'a policy of a role': {
    prepare: newRole,
    create: async ({ iam: client }) => {
      await client.send(
        new iam.PutRolePolicyCommand({
          ...policy,
          PolicyDocument: trust
            .replace('"Principal":{"Service":"ec2.amazonaws.com"},', '')
            .replace('}]', ',"Resource":"*"}]'),
        }),
      )
      return ''
    },
    read: async ({ iam: client }) => void (await client.send(new iam.GetRolePolicyCommand(policy))),
    remove: ({ iam: client }) => client.send(new iam.DeleteRolePolicyCommand(policy)),
  },
  'an instance profile': {
    create: async ({ iam: client }) => {
      await client.send(new iam.CreateInstanceProfileCommand(profile))
      return ''
    },
    read: async ({ iam: client }) => void (await client.send(new iam.GetInstanceProfileCommand(profile))),
    remove: ({ iam: client }) => client.send(new iam.DeleteInstanceProfileCommand(profile)),
  },
  'the role of an instance profile': {
    prepare: async owner => {
      await newRole(owner)
      await owner.iam.send(new iam.CreateInstanceProfileCommand(profile))
    },
    create: async ({ iam: client }) => {
      await client.send(new iam.AddRoleToInstanceProfileCommand({ ...profile, ...role }))
      return ''
    },
    read: async ({ iam: client }) =>
      (await client.send(new iam.GetInstanceProfileCommand(profile))).InstanceProfile?.Roles,
    remove: ({ iam: client }) =>
      client.send(new iam.RemoveRoleFromInstanceProfileCommand({ ...profile, ...role })),
  },
  'a file system': {
    create: async ({ efs: client }) =>
      String((await client.send(new efs.CreateFileSystemCommand({ CreationToken: 'a' }))).FileSystemId),
    read: async ({ efs: client }, FileSystemId) =>
      (await client.send(new efs.DescribeFileSystemsCommand({ FileSystemId }))).FileSystems,
    remove: ({ efs: client }, FileSystemId) => client.send(new efs.DeleteFileSystemCommand({ FileSystemId })),
  },
  'a classic load balancer': {
    create: async ({ elb: client, ec2: network }) => {
      const { Subnets = [] } = await network.send(new ec2.DescribeSubnetsCommand({}))
      const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 80 }]
      const input = { LoadBalancerName: 'a', Listeners, Subnets: [String(Subnets[0]?.SubnetId)] }
      await client.send(new elb.CreateLoadBalancerCommand(input))
      return 'a'
    },
    read: async ({ elb: client }, id) =>
      (await client.send(new elb.DescribeLoadBalancersCommand({ LoadBalancerNames: [id] })))
        .LoadBalancerDescriptions,
    remove: ({ elb: client }, id) => client.send(new elb.DeleteLoadBalancerCommand({ LoadBalancerName: id })),
  },
  'a network load balancer': {
    create: async ({ elbv2: client, ec2: network }) => {
      const { Subnets = [] } = await network.send(new ec2.DescribeSubnetsCommand({}))
      const input = { Name: 'a', Type: 'network', Subnets: [String(Subnets[0]?.SubnetId)] } as const
      const made = await client.send(
        new elbv2.CreateLoadBalancerCommand({ ...input, Subnets: [...input.Subnets] }),
      )
      return String(made.LoadBalancers?.[0]?.LoadBalancerArn)
    },
    read: async ({ elbv2: client }, id) =>
      (await client.send(new elbv2.DescribeLoadBalancersCommand({ LoadBalancerArns: [id] }))).LoadBalancers,
    remove: ({ elbv2: client }, LoadBalancerArn) =>
      client.send(new elbv2.DeleteLoadBalancerCommand({ LoadBalancerArn })),
  },
  'a bucket': {
    create: async ({ s3: client }) => {
      await client.send(new s3.CreateBucketCommand({ ...bucket, ...region }))
      return ''
    },
    read: async ({ s3: client }) => void (await client.send(new s3.GetBucketLocationCommand(bucket))),
    remove: ({ s3: client }) => client.send(new s3.DeleteBucketCommand(bucket)),
  },
  'a policy of a bucket': {
    prepare: owner => owner.s3.send(new s3.CreateBucketCommand({ ...bucket, ...region })),
    create: async ({ s3: client }) => {
      const lifecycle = { ID: 'a', Status: 'Enabled', Filter: {}, Expiration: { Days: 1 } } as const
      await client.send(
        new s3.PutBucketLifecycleConfigurationCommand({
          ...bucket,
          LifecycleConfiguration: { Rules: [lifecycle] },
        }),
      )
      return ''
    },
    read: async ({ s3: client }) =>
      (await client.send(new s3.GetBucketLifecycleConfigurationCommand(bucket))).Rules,
    remove: ({ s3: client }) => client.send(new s3.DeleteBucketLifecycleCommand(bucket)),
  },
}
