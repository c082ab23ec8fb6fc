import {
  type _InstanceType,
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type Reservation,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
  RunInstancesCommand,
  type Instance as SdkInstance,
  type SecurityGroup as SdkSecurityGroup,
  type Subnet,
  type Tag,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { allPages } from '../../../../terraform-free-infra/aws/account/client/all-pages.ts'
import {
  type ClientSettings,
  checkBeforeWrites,
} from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { observeRequests } from '../../../../terraform-free-infra/aws/account/client/observe-requests.ts'
import { requireAnswers } from '../../../../terraform-free-infra/aws/account/client/require-answers.ts'
import { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { stepError } from '../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import type { BastionEc2, BastionEndpoint, ObservedGroup, ObservedInstance } from './ec2.ts'
import { permissionsFor, type Rule, rulesIn } from './rules.ts'

export interface SdkEc2Options {
  /** Called before each attempt of a change. */
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
  /** Secret values that no error may contain. */
  readonly secrets: readonly string[]
  /** Returns a more specific error, or undefined to use the AWS error. */
  readonly explain: (error: AwsError) => Error | undefined
}

/** Implements EC2 with the AWS SDK, for one step. */
export const sdkEc2 = (
  settings: ClientSettings,
  { throwIfExpired, signal, secrets, explain }: SdkEc2Options,
): BastionEc2 => {
  const client = new EC2Client(settings)
  client.middlewareStack.use(checkBeforeWrites(throwIfExpired))
  if (settings.pace) client.middlewareStack.use(settings.pace())
  client.middlewareStack.use(observeRequests(settings.onRequest))
  client.middlewareStack.use(requireAnswers())
  const abort = { abortSignal: signal }
  const run = <T>(doing: string, call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      throw stepError(error, { doing, signal, secrets, explain })
    })

  return {
    subnetsNamed: async name => {
      const Filters = [{ Name: 'tag:Name', Values: [name] }]
      const subnets = await run(
        `looking for the subnet ${name}`,
        allPages(
          ({ SubnetId }: Subnet) => SubnetId,
          async NextToken => {
            const answer = await client.send(
              new DescribeSubnetsCommand({ Filters, ...(NextToken && { NextToken }) }),
              abort,
            )
            return { items: answer.Subnets, next: answer.NextToken }
          },
        ),
      )
      return subnets.map(({ SubnetId = '', VpcId = '' }) => ({ id: SubnetId, vpcId: VpcId }))
    },

    groupsNamed: async names => {
      const Filters = [{ Name: 'group-name', Values: [...names] }]
      const groups = await run(
        `looking for the security groups ${names.join(' and ')}`,
        allPages(
          ({ GroupId }: SdkSecurityGroup) => GroupId,
          async NextToken => {
            const answer = await client.send(
              new DescribeSecurityGroupsCommand({ Filters, ...(NextToken && { NextToken }) }),
              abort,
            )
            return { items: answer.SecurityGroups, next: answer.NextToken }
          },
        ),
      )
      return groups.map(groupOf)
    },

    groupOf: async id => {
      // Uses a filter, which returns an empty list instead of an error for a group that EC2 does not show yet.
      const Filters = [{ Name: 'group-id', Values: [id] }]
      const { SecurityGroups: [group] = [] } = await run(
        `reading the security group ${id}`,
        client.send(new DescribeSecurityGroupsCommand({ Filters }), abort),
      )
      return group && groupOf(group)
    },

    hasGroupIn: async vpcId => {
      const Filters = [{ Name: 'vpc-id', Values: [vpcId] }]
      const { SecurityGroups = [] } = await run(
        `looking for the security groups of ${vpcId}`,
        client.send(new DescribeSecurityGroupsCommand({ Filters }), abort),
      )
      return SecurityGroups.length > 0
    },

    instancesNamed: async name => {
      const Filters = [{ Name: 'tag:Name', Values: [name] }]
      const reservations = await run(
        `looking for the instance ${name}`,
        allPages(
          ({ ReservationId }: Reservation) => ReservationId,
          async NextToken => {
            const answer = await client.send(
              new DescribeInstancesCommand({ Filters, ...(NextToken && { NextToken }) }),
              abort,
            )
            return { items: answer.Reservations, next: answer.NextToken }
          },
        ),
      )
      return reservations.flatMap(({ Instances = [] }) => Instances.map(instanceOf))
    },

    createGroup: async ({ name, description, vpcId, tags }) => {
      const { GroupId = '' } = await run(
        `creating the security group ${name}`,
        client.send(
          new CreateSecurityGroupCommand({
            GroupName: name,
            Description: description,
            VpcId: vpcId,
            TagSpecifications: [{ ResourceType: 'security-group', Tags: tagList(tags) }],
          }),
          abort,
        ),
      )
      return GroupId
    },

    authorize: async (GroupId, rules) => {
      const request = { GroupId, IpPermissions: permissionsFor(rules) }
      const doing = `adding rules to the security group ${GroupId}`
      if (isIngress(rules))
        await run(doing, client.send(new AuthorizeSecurityGroupIngressCommand(request), abort))
      else await run(doing, client.send(new AuthorizeSecurityGroupEgressCommand(request), abort))
    },

    revoke: async (GroupId, rules) => {
      const request = { GroupId, IpPermissions: permissionsFor(rules) }
      const doing = `removing rules from the security group ${GroupId}`
      if (isIngress(rules))
        await run(doing, client.send(new RevokeSecurityGroupIngressCommand(request), abort))
      else await run(doing, client.send(new RevokeSecurityGroupEgressCommand(request), abort))
    },

    runInstance: async ({ imageId, type, groupId, subnetId, userData, ipv6, tags }, ClientToken) => {
      const { Instances: [instance] = [] } = await run(
        `starting an instance of ${type} with the image ${imageId}`,
        client.send(
          new RunInstancesCommand({
            ClientToken,
            ImageId: imageId,
            InstanceType: type as _InstanceType,
            MinCount: 1,
            MaxCount: 1,
            UserData: userData,
            TagSpecifications: [{ ResourceType: 'instance', Tags: tagList(tags) }],
            NetworkInterfaces: [
              {
                DeviceIndex: 0,
                SubnetId: subnetId,
                Groups: [groupId],
                AssociatePublicIpAddress: true,
                ...(ipv6 && { Ipv6AddressCount: 1, PrimaryIpv6: true }),
              },
            ],
          }),
          abort,
        ),
      )
      if (instance === undefined) throw new Error('EC2 started no instance')
      return instanceOf(instance)
    },

    terminate: async ids => {
      await run(
        `terminating ${ids.join(' and ')}`,
        client.send(new TerminateInstancesCommand({ InstanceIds: [...ids] }), abort),
      )
    },

    deleteGroup: async GroupId => {
      await run(
        `deleting the security group ${GroupId}`,
        client.send(new DeleteSecurityGroupCommand({ GroupId }), abort),
      )
    },
  }
}

/** Returns true if EC2 refused a call with one of these codes. */
export const isRefusal = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof AwsError && codes.includes(error.code)

const isIngress = ([first]: readonly Rule[]): boolean => first?.direction === 'ingress'

const tagList = (tags: Readonly<Record<string, string>>): Tag[] =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))

const tagsOf = (tags: readonly Tag[] = []): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.flatMap(({ Key, Value = '' }) => (Key === undefined ? [] : [[Key, Value]])))

const groupOf = (group: SdkSecurityGroup): ObservedGroup => ({
  id: group.GroupId ?? '',
  name: group.GroupName ?? '',
  description: group.Description ?? '',
  vpcId: group.VpcId ?? '',
  tags: tagsOf(group.Tags),
  rules: [...rulesIn('ingress', group.IpPermissions), ...rulesIn('egress', group.IpPermissionsEgress)],
})

const instanceOf = (instance: SdkInstance): ObservedInstance => ({
  id: instance.InstanceId ?? '',
  state: instance.State?.Name ?? '',
  groupIds: (instance.NetworkInterfaces ?? []).flatMap(({ Groups = [] }) =>
    Groups.flatMap(({ GroupId }: SdkSecurityGroup) => GroupId ?? []),
  ),
  tags: tagsOf(instance.Tags),
  publicEndpoint: endpoint(instance.PublicIpAddress, instance.PublicDnsName),
  privateEndpoint: endpoint(instance.PrivateIpAddress, instance.PrivateDnsName),
})

/** EC2 returns an empty text if there is no hostname. */
const endpoint = (ip: string | undefined, hostname: string | undefined): BastionEndpoint => ({
  ...(ip && { ip }),
  ...(hostname && { hostname }),
})
