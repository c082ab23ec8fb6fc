import * as ec2 from '@aws-sdk/client-ec2'
import * as efs from '@aws-sdk/client-efs'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import * as sts from '@aws-sdk/client-sts'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { operatorCredentials } from '../operator.ts'
import { type AwsOptions, createAws } from '../simulator.ts'
import { clientSettings } from './clients.ts'
import { countedBytes } from './counted-bytes.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

/** The number of items in each list. */
export const count = 5

const numbers = Array.from({ length: count }, (_, index) => index)
/** Makes one after the other, so that ids do not depend on the order of answers. */
const each = async <T>(make: (index: number) => Promise<T>): Promise<readonly T[]> => {
  const made: T[] = []
  for (const index of numbers) made.push(await make(index))
  return made
}

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
const policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }],
})

const clientsOf = (settings: ReturnType<typeof clientSettings>) => ({
  ec2: new ec2.EC2Client(settings),
  efs: new efs.EFSClient(settings),
  elb: new elb.ElasticLoadBalancingClient(settings),
  elbv2: new elbv2.ElasticLoadBalancingV2Client(settings),
  iam: new iam.IAMClient(settings),
  route53: new route53.Route53Client(settings),
  s3: new s3.S3Client(settings),
  sts: new sts.STSClient(settings),
})

export type Clients = ReturnType<typeof clientsOf>

const tags = numbers.map(index => ({ Key: `key-${index}`, Value: 'value' }))

const furnishEc2 = async ({ ec2: client }: Clients) => {
  const made = await client.send(
    new ec2.CreateVpcCommand({
      CidrBlock: '10.0.0.0/16',
      TagSpecifications: [{ ResourceType: 'vpc', Tags: tags }],
    }),
  )
  const VpcId = String(made.Vpc?.VpcId)
  const subnets = await each(async index => {
    const AvailabilityZone = `eu-west-1${'abc'[index % 3]}`
    const subnet = { VpcId, CidrBlock: `10.0.${index}.0/24`, AvailabilityZone }
    const answer = await client.send(new ec2.CreateSubnetCommand(subnet))
    return String(answer.Subnet?.SubnetId)
  })
  const SubnetId = String(subnets[0])
  const groups = await each(async index => {
    const group = { VpcId, GroupName: `group-${index}`, Description: 'group' }
    return String((await client.send(new ec2.CreateSecurityGroupCommand(group))).GroupId)
  })
  const IpRanges = numbers.map(index => ({ CidrIp: `10.0.${index}.0/24` }))
  await client.send(
    new ec2.AuthorizeSecurityGroupIngressCommand({
      GroupId: groups[0],
      IpPermissions: numbers.map(index => ({ IpProtocol: 'tcp', FromPort: index, ToPort: index, IpRanges })),
    }),
  )
  await each(() => client.send(new ec2.CreateVpcCommand({ CidrBlock: '10.1.0.0/16' })))
  await each(index =>
    client.send(new ec2.AssociateVpcCidrBlockCommand({ VpcId, CidrBlock: `10.${index + 2}.0.0/16` })),
  )
  await each(() => client.send(new ec2.CreateRouteTableCommand({ VpcId })))
  await each(() => client.send(new ec2.CreateNatGatewayCommand({ SubnetId, ConnectivityType: 'private' })))
  await each(() => client.send(new ec2.CreateInternetGatewayCommand({})))
  await each(() => client.send(new ec2.CreateEgressOnlyInternetGatewayCommand({ VpcId })))
  await each(() => client.send(new ec2.AllocateAddressCommand({})))
  const ServiceName = 'com.amazonaws.eu-west-1.s3'
  await each(() => client.send(new ec2.CreateVpcEndpointCommand({ VpcId, ServiceName })))
  const DhcpConfigurations = [{ Key: 'domain-name', Values: ['example.com'] }]
  await each(() => client.send(new ec2.CreateDhcpOptionsCommand({ DhcpConfigurations })))
  await each(index => {
    const Cidr = `10.0.0.${64 + 16 * index}/28`
    return client.send(
      new ec2.CreateSubnetCidrReservationCommand({ SubnetId, Cidr, ReservationType: 'prefix' }),
    )
  })
  const { Images = [] } = await client.send(new ec2.DescribeImagesCommand({ Owners: ['amazon'] }))
  const run = {
    ImageId: Images.find(({ Architecture }) => Architecture === 'x86_64')?.ImageId,
    InstanceType: 'm5.large',
    SubnetId,
    MinCount: 1,
    MaxCount: 1,
  } as const
  await each(() => client.send(new ec2.RunInstancesCommand(run)))
  return { VpcId, SubnetId, subnets, GroupId: String(groups[0]) }
}

const furnishIam = async ({ iam: client }: Clients) => {
  const RoleName = 'role-0'
  await each(async index => {
    const role = { RoleName: `role-${index}`, AssumeRolePolicyDocument: trust, Tags: tags }
    await client.send(new iam.CreateRoleCommand(role))
    const profile = { InstanceProfileName: `profile-${index}` }
    await client.send(new iam.CreateInstanceProfileCommand(profile))
    await client.send(new iam.AddRoleToInstanceProfileCommand({ ...profile, RoleName }))
    const named = { RoleName, PolicyName: `policy-${index}`, PolicyDocument: policy }
    await client.send(new iam.PutRolePolicyCommand(named))
  })
  const managed = ['ReadOnlyAccess', 'AdministratorAccess', 'AmazonS3ReadOnlyAccess', 'AmazonEKS_CNI_Policy']
  for (const name of [...managed, 'AmazonEKSWorkerNodePolicy']) {
    await client.send(
      new iam.AttachRolePolicyCommand({ RoleName, PolicyArn: `arn:aws:iam::aws:policy/${name}` }),
    )
  }
  return { RoleName }
}

const furnishEfs = async ({ efs: client }: Clients, subnets: readonly string[]) => {
  const made = await each(async index => {
    const system = await client.send(
      new efs.CreateFileSystemCommand({ CreationToken: `${index}`, Tags: tags }),
    )
    return String(system.FileSystemId)
  })
  const FileSystemId = String(made[0])
  for (const SubnetId of subnets.slice(0, 3)) {
    await client.send(new efs.CreateMountTargetCommand({ FileSystemId, SubnetId }))
  }
  return { FileSystemId }
}

const furnishBalancers = async (clients: Clients, vpcId: string, SubnetId: string) => {
  const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 80 }]
  const made = await each(async index => {
    const classic = { LoadBalancerName: `classic-${index}`, Listeners, Subnets: [SubnetId] }
    await clients.elb.send(new elb.CreateLoadBalancerCommand(classic))
    const network = { Name: `network-${index}`, Subnets: [SubnetId], Tags: tags }
    const input = { ...network, Type: 'network' } as const
    const { LoadBalancers = [] } = await clients.elbv2.send(new elbv2.CreateLoadBalancerCommand(input))
    const group = { Name: `group-${index}`, Protocol: 'TCP', Port: 80, VpcId: vpcId } as const
    await clients.elbv2.send(new elbv2.CreateTargetGroupCommand(group))
    return String(LoadBalancers[0]?.LoadBalancerArn)
  })
  return { balancer: String(made[0]) }
}

const furnishRoute53 = async ({ route53: client }: Clients) => {
  const made = await each(async index => {
    const zone = { Name: `zone-${index}.example.com`, CallerReference: `${index}` }
    return String((await client.send(new route53.CreateHostedZoneCommand(zone))).HostedZone?.Id)
  })
  const HostedZoneId = String(made[0])
  const ResourceRecords = numbers.map(index => ({ Value: `192.0.2.${index}` }))
  const Changes = numbers.map(
    index =>
      ({
        Action: 'CREATE',
        ResourceRecordSet: { Name: `r${index}.zone-0.example.com`, Type: 'A', TTL: 60, ResourceRecords },
      }) as const,
  )
  await client.send(new route53.ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes } }))
  return { HostedZoneId }
}

const furnishS3 = async ({ s3: client }: Clients) => {
  const Bucket = 'bucket-0'
  const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
  await each(index =>
    client.send(new s3.CreateBucketCommand({ Bucket: `bucket-${index}`, CreateBucketConfiguration })),
  )
  const VersioningConfiguration = { Status: 'Enabled' } as const
  await client.send(new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
  for (const Key of numbers.map(index => `key-${index % 3}`)) {
    await client.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'body' }))
  }
  return { Bucket }
}

const instant = { ec2: { durations: { scale: 0 } }, efs: { durations: { scale: 0 } } }

/** Creates several items in each list. Returns a function that creates an account with them and the options. */
export const furnish = async () => {
  const first = createAws({ clock: virtualClock(start), bytes: countedBytes(), ...instant })
  const owner = clientsOf(clientSettings(first, operatorCredentials))
  const network = await furnishEc2(owner)
  const ids = {
    ...network,
    ...(await furnishIam(owner)),
    ...(await furnishEfs(owner, network.subnets)),
    ...(await furnishRoute53(owner)),
    ...(await furnishS3(owner)),
    ...(await furnishBalancers(owner, network.VpcId, network.SubnetId)),
  }
  const snapshot = first.account().snapshot()
  return (options: AwsOptions) => {
    const clock = virtualClock(start)
    const aws = createAws({ clock, ...instant, ...options })
    aws.account().restore(snapshot)
    return {
      aws,
      clock,
      ids,
      /** Meet the options. */
      clients: clientsOf(clientSettings(aws)),
      owner: clientsOf(clientSettings(aws, operatorCredentials)),
    }
  }
}

export type FurnishedAccount = ReturnType<Awaited<ReturnType<typeof furnish>>>

const commands = { ec2, efs, elb, elbv2, iam, route53, s3, sts }

export type ClientName = keyof Clients
export type Fields = Readonly<Record<string, unknown>>

/** Sends an operation by its name. */
export const send = async (
  clients: Clients,
  service: ClientName,
  operation: string,
  input: object,
): Promise<Fields> => {
  const Command = (commands[service] as unknown as Record<string, new (input: object) => never>)[
    `${operation}Command`
  ]
  if (Command === undefined) throw new Error(`${service} has no ${operation}`)
  const client: { send(command: never): Promise<object> } = clients[service]
  return { ...(await client.send(new Command(input))) }
}

/** Returns the name of a client's service in the simulator. */
export const serviceOf = (client: ClientName): string => (client === 'efs' ? 'elasticfilesystem' : client)
