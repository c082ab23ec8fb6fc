import {
  AuthorizeSecurityGroupIngressCommand,
  CreateTagsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeTagsCommand,
  type IpPermission,
  ModifySubnetAttributeCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import {
  AddRoleToInstanceProfileCommand,
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  GetRolePolicyCommand,
  PutRolePolicyCommand,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam'
import { expect, test } from 'vitest'
import { withoutMemory } from '../../terraform-free-infra/engine/engine.ts'
import { type Hands, madeShoot } from './made-shoot.ts'
import { dataOf } from './recorded-shoot.ts'
import { type ShapeName, shapes } from './shapes.ts'

interface Takeover {
  readonly what: string
  readonly shape: ShapeName
  readonly zones: number
  /** Changes the created resources to the form that the Go extension leaves. */
  readonly leave?: (hands: Hands) => Promise<void>
  /** Returns true for keys that the Go extension's state lacks. */
  readonly without?: (key: string) => boolean
  /** The writes of the first reconcile. */
  readonly repaired: readonly string[]
}

const name = 'shoot--foo--bar-nodes'
const clusterTag = 'kubernetes.io/cluster/shoot--foo--bar'

/** Returns the ids of all resources with a tag. */
const taggedWith = async ({ ec2 }: Hands, key: string): Promise<readonly string[]> => {
  const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters: [{ Name: 'key', Values: [key] }] }))
  return Tags.map(({ ResourceId = '' }) => ResourceId)
}

const nodePorts = (cidrs: readonly string[]): IpPermission[] =>
  ['tcp', 'udp'].map(IpProtocol => ({
    IpProtocol,
    FromPort: 30_000,
    ToPort: 32_767,
    Ipv6Ranges: cidrs.map(CidrIpv6 => ({ CidrIpv6 })),
  }))

/** Returns a subnet block with another number, which is the byte before the last four groups. */
const block = (of: string, number: number): string =>
  of.replace(
    /([0-9a-f]*)::\/64$/,
    (_, group: string) => `${(Number.parseInt(group, 16) + number).toString(16)}::/64`,
  )

const wrongBlocks = async ({ ec2, id }: Hands): Promise<void> => {
  const { Subnets = [] } = await ec2.send(
    new DescribeSubnetsCommand({ Filters: [{ Name: 'vpc-id', Values: [id('VPC')] }] }),
  )
  const blockOf = (key: string) =>
    Subnets.find(({ SubnetId }) => SubnetId === id(`Zones/eu-west-1a/${key}`))
      ?.Ipv6CidrBlockAssociationSet?.[0]?.Ipv6CidrBlock ?? ''
  const GroupId = id('NodesSecurityGroup')
  const [internal, external] = [blockOf('SubnetPrivateUtility'), blockOf('SubnetPublicUtility')]
  // Shifts the rules by one: the rule of the internal subnet is for the public one, and that of the public subnet for
  // the next zone.
  const next = block(external, 1)
  await ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId, IpPermissions: nodePorts([internal]) }))
  await ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: nodePorts([next]) }))
}

const takeovers: readonly Takeover[] = [
  {
    what: 'tags with the value of older releases',
    shape: 'gateway endpoint',
    zones: 1,
    leave: async hands => {
      const Resources = [...(await taggedWith(hands, clusterTag))]
      await hands.ec2.send(new CreateTagsCommand({ Resources, Tags: [{ Key: clusterTag, Value: '1' }] }))
    },
    repaired: [
      'DHCPOptions',
      'InternetGateway',
      'MainRouteTable',
      'NodesSecurityGroup',
      'VPC',
      'VPCEndpoints/s3',
      'a/NATGateway',
      'a/NATGatewayElasticIP',
      'a/SubnetPrivateUtility',
      'a/SubnetPublicUtility',
      'a/SubnetWorkers',
      'a/ZoneRouteTable',
    ].map(key => `CreateTags ${key}`),
  },
  {
    what: 'the tag of the file system on everything',
    shape: 'file system',
    zones: 3,
    leave: async hands => {
      const Resources = [...(await taggedWith(hands, clusterTag))]
      const Tags = [{ Key: 'managed-by-gardener', Value: 'true' }]
      await hands.ec2.send(new CreateTagsCommand({ Resources, Tags }))
    },
    // The next run of the Go extension makes the same writes.
    repaired: [
      ...['DHCPOptions', 'InternetGateway', 'NodesSecurityGroup', 'VPC'],
      ...['a', 'b', 'c'].flatMap(zone =>
        [
          'NATGateway',
          'NATGatewayElasticIP',
          'SubnetPrivateUtility',
          'SubnetPublicUtility',
          'SubnetWorkers',
        ].map(what => `${zone}/${what}`),
      ),
    ].map(what => `DeleteTags ${what}`),
  },
  {
    what: 'a state that was cut off before the associations were in it',
    shape: 'standard',
    zones: 3,
    without: key => key.endsWith('Assoc'),
    repaired: [],
  },
  {
    what: 'a state that was cut off before the NAT gateway was in it',
    shape: 'standard',
    zones: 1,
    without: key => key.endsWith('NATGateway') || key === 'EgressCIDRs',
    repaired: [],
  },
  {
    what: 'a policy that is written otherwise',
    shape: 'standard',
    zones: 1,
    leave: async ({ iam }) => {
      const policy = { RoleName: name, PolicyName: name }
      const { PolicyDocument = '' } = await iam.send(new GetRolePolicyCommand(policy))
      const document = JSON.parse(decodeURIComponent(PolicyDocument)) as { Statement: readonly object[] }
      const spaced = JSON.stringify({ ...document, Statement: document.Statement.toReversed() }, undefined, 4)
      await iam.send(new PutRolePolicyCommand({ ...policy, PolicyDocument: spaced }))
    },
    repaired: [],
  },
  {
    what: 'a role without a description',
    shape: 'standard',
    zones: 1,
    leave: async ({ iam }) => {
      const policy = { RoleName: name, PolicyName: name }
      const profile = { RoleName: name, InstanceProfileName: name }
      const { PolicyDocument = '' } = await iam.send(new GetRolePolicyCommand(policy))
      await iam.send(new RemoveRoleFromInstanceProfileCommand(profile))
      await iam.send(new DeleteRolePolicyCommand(policy))
      await iam.send(new DeleteRoleCommand({ RoleName: name }))
      const AssumeRolePolicyDocument = JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ],
      })
      await iam.send(new CreateRoleCommand({ RoleName: name, Path: '/', AssumeRolePolicyDocument }))
      await iam.send(
        new PutRolePolicyCommand({ ...policy, PolicyDocument: decodeURIComponent(PolicyDocument) }),
      )
      await iam.send(new AddRoleToInstanceProfileCommand(profile))
    },
    repaired: [],
  },
  {
    what: 'rules for the IPv6 blocks of other subnets',
    shape: 'dual stack',
    zones: 1,
    leave: wrongBlocks,
    repaired: [
      'AuthorizeSecurityGroupIngress NodesSecurityGroup',
      'RevokeSecurityGroupIngress NodesSecurityGroup',
    ],
  },
  {
    what: 'nodes that get no IPv6 addresses',
    shape: 'dual stack',
    zones: 1,
    leave: async ({ ec2, id }) => {
      const SubnetId = id('Zones/eu-west-1a/SubnetWorkers')
      await ec2.send(
        new ModifySubnetAttributeCommand({ SubnetId, AssignIpv6AddressOnCreation: { Value: false } }),
      )
    },
    repaired: ['ModifySubnetAttribute a/SubnetWorkers'],
  },
  {
    what: 'a subnet with IPv6 alone after a single reconcile',
    shape: 'IPv6 only',
    zones: 1,
    leave: async ({ ec2, id }) => {
      const SubnetId = id('Zones/eu-west-1a/SubnetWorkers')
      const off = { Value: false }
      await ec2.send(new ModifySubnetAttributeCommand({ SubnetId, EnableDns64: off }))
      await ec2.send(
        new ModifySubnetAttributeCommand({ SubnetId, EnableResourceNameDnsAAAARecordOnLaunch: off }),
      )
    },
    repaired: ['ModifySubnetAttribute a/SubnetWorkers', 'ModifySubnetAttribute a/SubnetWorkers'],
  },
]

test.each(takeovers)('$shape: $what', async ({ shape, zones, leave, without = () => false, repaired }) => {
  const { again, status } = await madeShoot(shapes[shape](zones))
  const { hands, reconcile, steps } = again(current => ({
    ...current,
    state: {
      ...(current.state as object),
      data: Object.fromEntries(Object.entries(dataOf(current)).filter(([key]) => !without(key))),
    },
  }))
  await leave?.(hands)
  expect((await reconcile()).toSorted()).toEqual(repaired.toSorted())
  expect(await reconcile(), 'the second time').toEqual([])
  expect(withoutMemory(dataOf(steps.status()))).toEqual(withoutMemory(dataOf(status)))
  expect({ ...steps.status(), state: undefined }).toEqual({ ...status, state: undefined })
})

test('rules are moved to the blocks of the subnets', async () => {
  const { hands, reconcile } = (await madeShoot(shapes['dual stack'](1))).again()
  const rules = async () => {
    const GroupIds = [hands.id('NodesSecurityGroup')]
    return (
      await hands.ec2.send(new DescribeSecurityGroupsCommand({ GroupIds }))
    ).SecurityGroups?.[0]?.IpPermissions?.flatMap(({ IpProtocol, Ipv6Ranges = [] }) =>
      Ipv6Ranges.map(({ CidrIpv6 }) => `${IpProtocol} ${CidrIpv6}`),
    ).toSorted()
  }
  const right = await rules()
  await wrongBlocks(hands)
  expect(await rules()).not.toEqual(right)
  await reconcile()
  expect(await rules()).toEqual(right)
})
