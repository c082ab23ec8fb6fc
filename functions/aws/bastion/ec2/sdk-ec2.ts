import {
  type _InstanceType,
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type Filter,
  RunInstancesCommand,
  type Instance as SdkInstance,
  type SecurityGroup as SdkSecurityGroup,
  type Tag,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
import { type Ec2Page, ec2Pages } from '../../../../terraform-free-infra/aws/account/client/all-pages.ts'
import { type ClientSettings, withRules } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import type { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { stepError } from '../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import { rulesSender } from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import { rulesOf } from '../../../../terraform-free-infra/aws/account/security-groups/security-rule.ts'
import type { BastionEc2, BastionEndpoint, ObservedGroup, ObservedInstance } from './ec2.ts'

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
  const client = withRules(new EC2Client(settings), settings, throwIfExpired)
  const abort = { abortSignal: signal }
  const run = <T>(doing: string, call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      throw stepError(error, { doing, signal, secrets, explain })
    })

  const sendRules = rulesSender(client, signal)

  const listGroups = (doing: string, filter: Filter): Promise<readonly SdkSecurityGroup[]> =>
    run(
      doing,
      ec2Pages('SecurityGroups', 'GroupId', (page: Ec2Page) =>
        client.send(new DescribeSecurityGroupsCommand({ Filters: [filter], ...page }), abort),
      ),
    )

  const listInstances = async (doing: string, filter: Filter): Promise<readonly ObservedInstance[]> => {
    const reservations = await run(
      doing,
      ec2Pages('Reservations', 'ReservationId', (page: Ec2Page) =>
        client.send(new DescribeInstancesCommand({ Filters: [filter], ...page }), abort),
      ),
    )
    return reservations.flatMap(({ Instances = [] }) => Instances.map(instanceOf))
  }

  return {
    subnetsNamed: async name => {
      const Filters = [{ Name: 'tag:Name', Values: [name] }]
      const subnets = await run(
        `looking for the subnet ${name}`,
        ec2Pages('Subnets', 'SubnetId', (page: Ec2Page) =>
          client.send(new DescribeSubnetsCommand({ Filters, ...page }), abort),
        ),
      )
      return subnets.map(({ SubnetId = '', VpcId = '' }) => ({ id: SubnetId, vpcId: VpcId }))
    },

    groupsNamed: async names => {
      const groups = await listGroups(`looking for the security groups ${names.join(' and ')}`, {
        Name: 'group-name',
        Values: [...names],
      })
      return groups.map(groupOf)
    },

    groupOf: async id => {
      // Uses a filter, which returns an empty list instead of an error for a group that EC2 does not show yet.
      const groups = await listGroups(`reading the security group ${id}`, { Name: 'group-id', Values: [id] })
      return groups.map(groupOf).find(group => group.id === id)
    },

    hasGroupIn: async vpcId => {
      const filter = { Name: 'vpc-id', Values: [vpcId] }
      return (await listGroups(`looking for the security groups of ${vpcId}`, filter)).length > 0
    },

    instancesNamed: name =>
      listInstances(`looking for the instance ${name}`, { Name: 'tag:Name', Values: [name] }),

    instanceWith: async by => {
      if ('id' in by) {
        const filter = { Name: 'instance-id', Values: [by.id] }
        return (await listInstances(`reading the instance ${by.id}`, filter)).find(({ id }) => id === by.id)
      }
      const filter = { Name: 'client-token', Values: [by.token] }
      const instances = await listInstances('looking for the instance of an earlier call', filter)
      return instances.find(({ token }) => token === by.token)
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

    changeRules: change => {
      const doing = change.kind === 'authorize' ? 'adding rules to' : 'removing rules from'
      return run(`${doing} the security group ${change.groupId}`, sendRules(change))
    },

    runInstance: async ({ imageId, type, groupId, subnetId, userData, ipv6, tags }, ClientToken) => {
      const { Instances = [] } = await run(
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
      // At most one, as requested.
      for (const instance of Instances) return instanceOf(instance)
      throw new Error(`EC2 reported no instance of ${type}`)
    },

    terminate: async id => {
      await run(
        `terminating the instance ${id}`,
        client.send(new TerminateInstancesCommand({ InstanceIds: [id] }), abort),
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
  rules: rulesOf(group),
})

const instanceOf = (instance: SdkInstance): ObservedInstance => ({
  id: instance.InstanceId ?? '',
  state: instance.State?.Name ?? '',
  token: instance.ClientToken ?? '',
  groupIds: (instance.NetworkInterfaces ?? [])
    .filter(
      ({ Attachment }) => (Attachment?.DeviceIndex ?? 0) === 0 && (Attachment?.NetworkCardIndex ?? 0) === 0,
    )
    .flatMap(({ Groups = [] }) => Groups.flatMap(({ GroupId }) => GroupId ?? [])),
  tags: tagsOf(instance.Tags),
  publicEndpoint: endpoint(instance.PublicIpAddress, instance.PublicDnsName),
  privateEndpoint: endpoint(instance.PrivateIpAddress, instance.PrivateDnsName),
})

/** EC2 returns an empty text if there is no hostname. */
const endpoint = (ip: string | undefined, hostname: string | undefined): BastionEndpoint => ({
  ...(ip && { ip }),
  ...(hostname && { hostname }),
})
