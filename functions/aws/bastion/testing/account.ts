import {
  AttachInternetGatewayCommand,
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateInternetGatewayCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcsCommand,
  EC2Client,
  type Instance,
  ModifyVpcAttributeCommand,
  type ResourceType,
  RevokeSecurityGroupEgressCommand,
  RunInstancesCommand,
  type SecurityGroup,
} from '@aws-sdk/client-ec2'
import {
  type AwsOptions,
  addImage,
  isRead,
  operatorCredentials,
} from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { amdImage, armImage, namespace, userData } from './objects.ts'

/** The tag Name, for a call that creates a resource. */
const named = (ResourceType: ResourceType, Value: string, more: Readonly<Record<string, string>> = {}) => ({
  TagSpecifications: [
    {
      ResourceType,
      Tags: Object.entries({ Name: Value, ...more }).map(([Key, Value]) => ({ Key, Value })),
    },
  ],
})

/** An account with the images of the CloudProfile and no resources of a shoot. */
export const startAccount = (limits: NonNullable<AwsOptions['ec2']>['limits'] = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const aws = shuffledAws({ clock, ec2: { limits } })
  const common = { name: 'test', rootDeviceName: '/dev/sda1', rootSize: 8 }
  addImage(aws.account(), 'eu-west-1', { ...common, id: amdImage, architecture: 'x86_64' })
  addImage(aws.account(), 'eu-west-1', { ...common, id: armImage, architecture: 'arm64' })
  const ec2 = new EC2Client({
    region: 'eu-west-1',
    credentials: operatorCredentials,
    requestHandler: aws.requestHandler,
  })

  /** Creates the parts of an infrastructure that a bastion needs. */
  const makeNetwork = async ({
    cluster = namespace,
    ipv6 = false,
  }: {
    readonly cluster?: string
    readonly ipv6?: boolean
  } = {}) => {
    const { Vpc } = await ec2.send(
      new CreateVpcCommand({
        CidrBlock: '10.250.0.0/16',
        AmazonProvidedIpv6CidrBlock: ipv6,
        ...named('vpc', cluster),
      }),
    )
    const vpcId = String(Vpc?.VpcId)
    // Instances have public names only with this attribute.
    await ec2.send(new ModifyVpcAttributeCommand({ VpcId: vpcId, EnableDnsHostnames: { Value: true } }))
    const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}))
    await ec2.send(
      new AttachInternetGatewayCommand({
        VpcId: vpcId,
        InternetGatewayId: String(InternetGateway?.InternetGatewayId),
      }),
    )
    // EC2 assigns the block some time after the VPC is created.
    await clock.advance(10_000)
    const block = ipv6 ? await ipv6BlockOf(ec2, vpcId) : undefined
    const { Subnet } = await ec2.send(
      new CreateSubnetCommand({
        VpcId: vpcId,
        CidrBlock: '10.250.96.0/22',
        AvailabilityZone: 'eu-west-1a',
        ...(block && { Ipv6CidrBlock: block.replace('/56', '/64') }),
        ...named('subnet', `${cluster}-public-utility-z0`),
      }),
    )
    const workers = await makeGroup(vpcId, `${cluster}-nodes`, 'Security group for nodes')
    await clock.advance(10_000)
    return { vpcId, subnetId: String(Subnet?.SubnetId), workers }
  }

  const makeGroup = async (
    VpcId: string,
    GroupName: string,
    Description: string,
    tags: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const { GroupId } = await ec2.send(
      new CreateSecurityGroupCommand({
        VpcId,
        GroupName,
        Description,
        ...named('security-group', GroupName, tags),
      }),
    )
    return String(GroupId)
  }

  const makeInstance = async (
    SubnetId: string,
    group: string,
    name: string,
    tags: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const { Instances } = await ec2.send(
      new RunInstancesCommand({
        ImageId: amdImage,
        InstanceType: 't3.small',
        MinCount: 1,
        MaxCount: 1,
        UserData: userData,
        NetworkInterfaces: [{ DeviceIndex: 0, SubnetId, Groups: [group], AssociatePublicIpAddress: true }],
        ...named('instance', name, tags),
      }),
    )
    return String(Instances?.[0]?.InstanceId)
  }

  const groups = async (): Promise<readonly SecurityGroup[]> =>
    (await ec2.send(new DescribeSecurityGroupsCommand({}))).SecurityGroups ?? []

  return {
    aws,
    clock,
    ec2,
    makeNetwork,
    makeGroup,
    makeInstance,
    /** Creates a bastion with the calls of the Go extension, in the same order. */
    makeLikeGo: async (
      { vpcId, subnetId, workers }: Awaited<ReturnType<typeof makeNetwork>>,
      cidrs: readonly string[],
      name = 'cli-abc',
    ) => {
      const groupId = await makeGroup(vpcId, `${namespace}-${name}-bsg`, 'Bastion security group')
      const ssh = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22 }
      const ranges = { ...ssh, IpRanges: cidrs.map(CidrIp => ({ CidrIp })) }
      await ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions: [ranges] }))
      const out = { ...ssh, UserIdGroupPairs: [{ GroupId: workers }] }
      await ec2.send(new AuthorizeSecurityGroupEgressCommand({ GroupId: groupId, IpPermissions: [out] }))
      const all = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] }
      await ec2.send(new RevokeSecurityGroupEgressCommand({ GroupId: groupId, IpPermissions: [all] }))
      const instanceId = await makeInstance(subnetId, groupId, `${namespace}-${name}-bastion`)
      const letIn = { ...ssh, UserIdGroupPairs: [{ GroupId: groupId }] }
      await ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: workers, IpPermissions: [letIn] }))
      await clock.advance(60_000)
      return { groupId, instanceId }
    },
    groups,
    groupNamed: async (name: string): Promise<SecurityGroup | undefined> =>
      (await groups()).find(({ GroupName }) => GroupName === name),
    /** The running instances. */
    instances: async (): Promise<readonly Instance[]> =>
      ((await ec2.send(new DescribeInstancesCommand({}))).Reservations ?? [])
        .flatMap(({ Instances = [] }) => Instances)
        .filter(({ State }) => State?.Name !== 'terminated' && State?.Name !== 'shutting-down'),
    actions: () => aws.calls.all().map(({ action }) => action),
    writes: () =>
      aws.calls
        .all()
        .filter(call => !isRead(call))
        .map(({ action }) => action),
  }
}
export type TestAccount = ReturnType<typeof startAccount>

const ipv6BlockOf = async (ec2: EC2Client, vpcId: string): Promise<string> => {
  const { Vpcs } = await ec2.send(new DescribeVpcsCommand({ VpcIds: [vpcId] }))
  return String(Vpcs?.[0]?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock)
}
