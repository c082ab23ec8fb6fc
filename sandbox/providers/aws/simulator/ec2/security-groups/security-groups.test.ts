import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateSecurityGroupCommand,
  CreateVpcCommand,
  DeleteSecurityGroupCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSecurityGroupsCommand,
  type EC2Client,
  type IpPermission,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import type { Limits } from '../core/limits.ts'
import * as network from '../testing/network.ts'

const setUp = async (limits: Limits = {}) => {
  const client = network.ec2ClientOf(createAws({ ec2: { durations: { scale: 0 }, limits } }))
  const vpcId = await network.newVpc(client)
  const groupId = await network.newGroup(client, vpcId)
  const allow = (...IpPermissions: IpPermission[]) =>
    client.send(new AuthorizeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions }))
  const revoke = (...IpPermissions: IpPermission[]) =>
    client.send(new RevokeSecurityGroupIngressCommand({ GroupId: groupId, IpPermissions }))
  return { client, vpcId, groupId, allow, revoke }
}

const describeGroup = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeSecurityGroupsCommand({ GroupIds: [id] }))).SecurityGroups?.[0]

const tcp = (port: number, ...ranges: string[]): IpPermission => ({
  IpProtocol: 'tcp',
  FromPort: port,
  ToPort: port,
  IpRanges: ranges.map(CidrIp => ({ CidrIp })),
})

describe('a new group', () => {
  test('a new group allows all outbound and no inbound traffic', async () => {
    const { client, groupId } = await setUp()
    expect(await describeGroup(client, groupId)).toMatchObject({
      GroupName: 'nodes',
      IpPermissions: [],
      IpPermissionsEgress: [{ IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }], Ipv6Ranges: [] }],
    })
  })

  test('a new group also allows outbound IPv6 in a VPC with an IPv6 block', async () => {
    const { client } = await setUp()
    const { Vpc } = await client.send(
      new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', AmazonProvidedIpv6CidrBlock: true }),
    )
    const id = await network.newGroup(client, Vpc?.VpcId ?? '')
    expect((await describeGroup(client, id))?.IpPermissionsEgress).toMatchObject([
      { IpRanges: [{ CidrIp: '0.0.0.0/0' }], Ipv6Ranges: [{ CidrIpv6: '::/0' }] },
    ])
  })

  test.each([
    ['nodes', 'x', 'InvalidGroup.Duplicate', "'nodes' already exists for VPC 'vpc-"],
    ['default', 'x', 'InvalidGroup.Reserved', 'default'],
    ['näh', 'x', 'InvalidParameterValue', ''],
    ['fine', 'a description with "quotes"', 'InvalidParameterValue', ''],
  ])('a group named %j and described as %j is refused', async (GroupName, Description, name, text) => {
    const { client, vpcId: VpcId } = await setUp()
    const input = { VpcId, GroupName, Description }
    expect(await failureOf(client.send(new CreateSecurityGroupCommand(input)))).toMatchObject({
      name,
      message: expect.stringContaining(text),
    })
  })

  test('groups in different VPCs may have the same name', async () => {
    const { client } = await setUp()
    expect(await network.newGroup(client, await network.newVpc(client))).toMatch(/^sg-/)
  })
})

describe('permissions', () => {
  test('rules with the same protocol and ports form one permission', async () => {
    const { client, groupId, allow } = await setUp()
    const self = [{ GroupId: groupId }]
    await allow({ IpProtocol: '-1', UserIdGroupPairs: self }, tcp(30000, '0.0.0.0/0'), tcp(22, '1.2.3.4/32'))
    await allow(tcp(30000, '10.250.0.0/22', '10.250.4.0/22'))
    expect((await describeGroup(client, groupId))?.IpPermissions).toEqual([
      {
        IpProtocol: '-1',
        UserIdGroupPairs: [{ GroupId: groupId, UserId: '123456789012' }],
        IpRanges: [],
        Ipv6Ranges: [],
        PrefixListIds: [],
      },
      {
        ...tcp(30000, '0.0.0.0/0', '10.250.0.0/22', '10.250.4.0/22'),
        UserIdGroupPairs: [],
        Ipv6Ranges: [],
        PrefixListIds: [],
      },
      { ...tcp(22, '1.2.3.4/32'), UserIdGroupPairs: [], Ipv6Ranges: [], PrefixListIds: [] },
    ])
  })

  test('ranges are stored and compared in canonical form', async () => {
    const { client, groupId, allow } = await setUp()
    await allow(tcp(22, '100.68.0.18/18'))
    expect((await describeGroup(client, groupId))?.IpPermissions?.[0]?.IpRanges).toEqual([
      { CidrIp: '100.68.0.0/18' },
    ])
    expect(await failureOf(allow(tcp(22, '100.68.0.99/18')))).toMatchObject({
      name: 'InvalidPermission.Duplicate',
      message:
        'the specified rule "peer: 100.68.0.0/18, TCP, from port: 22, to port: 22, ALLOW" already exists',
    })
  })

  test('rules have descriptions, which do not make them different', async () => {
    const { client, groupId, allow, revoke } = await setUp()
    const range = { CidrIp: '1.2.3.4/32', Description: 'the office' }
    await allow({ ...tcp(22), IpRanges: [range] })
    expect((await describeGroup(client, groupId))?.IpPermissions?.[0]?.IpRanges).toEqual([range])
    expect(await failureOf(allow(tcp(22, '1.2.3.4/32')))).toMatchObject({
      name: 'InvalidPermission.Duplicate',
    })
    await revoke(tcp(22, '1.2.3.4/32'))
    expect((await describeGroup(client, groupId))?.IpPermissions).toEqual([])
  })

  test('a protocol can be given by name or number', async () => {
    const { client, groupId, allow } = await setUp()
    await allow({ ...tcp(22, '1.2.3.4/32'), IpProtocol: '6' })
    await allow({ IpProtocol: '50', IpRanges: [{ CidrIp: '1.2.3.4/32' }] })
    const protocols = (await describeGroup(client, groupId))?.IpPermissions?.map(each => each.IpProtocol)
    expect(protocols).toEqual(['tcp', '50'])
  })

  test.each<[string, IpPermission, string]>([
    ['a protocol that is none', { ...tcp(22, '1.2.3.4/32'), IpProtocol: 'tpc' }, 'InvalidParameterValue'],
    [
      'TCP without ports',
      { IpProtocol: 'tcp', IpRanges: [{ CidrIp: '1.2.3.4/32' }] },
      'InvalidParameterValue',
    ],
    ['ports beyond the last', tcp(70000, '1.2.3.4/32'), 'InvalidParameterValue'],
    ['ports in the wrong order', { ...tcp(22, '1.2.3.4/32'), ToPort: 21 }, 'InvalidParameterValue'],
    ['an address without its length', tcp(22, '1.2.3.4'), 'InvalidParameterValue'],
    ['an IPv6 range among those of IPv4', tcp(22, '::/0'), 'InvalidParameterValue'],
    ['the same range twice', tcp(22, '1.2.3.4/32', '1.2.3.4/32'), 'InvalidParameterValue'],
    [
      'a group that is not there',
      { ...tcp(22), UserIdGroupPairs: [{ GroupId: 'sg-0000000000000000f' }] },
      'InvalidGroup.NotFound',
    ],
    [
      'a prefix list that is not there',
      { ...tcp(22), PrefixListIds: [{ PrefixListId: 'pl-00000000' }] },
      'InvalidPrefixListID.NotFound',
    ],
  ])('rules with %s are refused', async (_, permission, name) => {
    const { allow } = await setUp()
    expect(await failureOf(allow(permission))).toMatchObject({ name })
  })

  test('a rule cannot name a group of another VPC', async () => {
    const { client, allow } = await setUp()
    const stranger = await network.newGroup(client, await network.newVpc(client))
    expect(await failureOf(allow({ ...tcp(22), UserIdGroupPairs: [{ GroupId: stranger }] }))).toMatchObject({
      name: 'InvalidGroup.NotFound',
      message: 'You have specified two resources that belong to different networks.',
    })
  })

  test('outbound and inbound rules are separate', async () => {
    const { client, groupId } = await setUp()
    const GroupId = groupId
    await client.send(
      new AuthorizeSecurityGroupEgressCommand({ GroupId, IpPermissions: [tcp(22, '1.2.3.4/32')] }),
    )
    const all = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] }
    await client.send(new RevokeSecurityGroupEgressCommand({ GroupId, IpPermissions: [all] }))
    expect(await describeGroup(client, GroupId)).toMatchObject({
      IpPermissions: [],
      IpPermissionsEgress: [{ FromPort: 22 }],
    })
  })

  test('rules are limited in each direction', async () => {
    const { allow } = await setUp({ rules: 2 })
    await allow(tcp(22, '1.2.3.4/32'))
    expect(await failureOf(allow(tcp(80, '1.2.3.4/32', '1.2.3.5/32')))).toMatchObject({
      name: 'RulesPerSecurityGroupLimitExceeded',
      message: 'The maximum number of rules per security group has been reached.',
    })
  })
})

describe('revoking', () => {
  test('a revoke removes single ranges of a permission', async () => {
    const { client, groupId, allow, revoke } = await setUp()
    await allow(tcp(22, '1.0.0.0/8', '2.0.0.0/8'))
    const { RevokedSecurityGroupRules } = await revoke(tcp(22, '1.0.0.0/8'))
    expect(RevokedSecurityGroupRules).toMatchObject([
      { CidrIpv4: '1.0.0.0/8', FromPort: 22, IsEgress: false },
    ])
    expect((await describeGroup(client, groupId))?.IpPermissions).toMatchObject([
      { IpRanges: [{ CidrIp: '2.0.0.0/8' }] },
    ])
  })

  test('a revoke of a missing rule is refused and revokes nothing', async () => {
    const { client, groupId, allow, revoke } = await setUp()
    await allow(tcp(22, '1.0.0.0/8'))
    expect(await failureOf(revoke(tcp(22, '1.0.0.0/8'), tcp(23, '1.0.0.0/8')))).toMatchObject({
      name: 'InvalidPermission.NotFound',
      message: 'The specified rule does not exist in this security group.',
    })
    expect((await describeGroup(client, groupId))?.IpPermissions).toHaveLength(1)
  })

  test('a revoke of a missing rule in the default VPC returns the unknown rule', async () => {
    const { client } = await setUp()
    const input = { GroupName: 'old', Description: 'x' }
    const { GroupId } = await client.send(new CreateSecurityGroupCommand(input))
    const answer = await client.send(
      new RevokeSecurityGroupIngressCommand({ GroupId, IpPermissions: [tcp(22, '1.0.0.0/8')] }),
    )
    expect(answer.UnknownIpPermissions).toMatchObject([{ FromPort: 22, IpRanges: [{ CidrIp: '1.0.0.0/8' }] }])
  })

  test('a revoke accepts the ids of rules', async () => {
    const { client, groupId, allow } = await setUp()
    const { SecurityGroupRules } = await allow(tcp(22, '1.0.0.0/8', '2.0.0.0/8'))
    const id = SecurityGroupRules?.[0]?.SecurityGroupRuleId ?? ''
    const revoke = () =>
      client.send(new RevokeSecurityGroupIngressCommand({ GroupId: groupId, SecurityGroupRuleIds: [id] }))
    await revoke()
    expect((await describeGroup(client, groupId))?.IpPermissions?.[0]?.IpRanges).toEqual([
      { CidrIp: '2.0.0.0/8' },
    ])
    expect(await failureOf(revoke())).toMatchObject({ name: 'InvalidSecurityGroupRuleId.NotFound' })
  })
})

test('rules can be listed one by one, by group and by id', async () => {
  const { client, groupId, allow } = await setUp()
  const { SecurityGroupRules: made = [] } = await allow(tcp(22, '1.0.0.0/8', '2.0.0.0/8'))
  const Filters = [{ Name: 'group-id', Values: [groupId] }]
  const listed = await client.send(new DescribeSecurityGroupRulesCommand({ Filters }))
  expect(listed.SecurityGroupRules).toMatchObject([
    { IsEgress: true, IpProtocol: '-1', FromPort: -1, ToPort: -1, CidrIpv4: '0.0.0.0/0' },
    { IsEgress: false, IpProtocol: 'tcp', FromPort: 22, CidrIpv4: '1.0.0.0/8', GroupId: groupId },
    { IsEgress: false, CidrIpv4: '2.0.0.0/8' },
  ])
  const SecurityGroupRuleIds = [made[1]?.SecurityGroupRuleId ?? '']
  const byId = await client.send(new DescribeSecurityGroupRulesCommand({ SecurityGroupRuleIds }))
  expect(byId.SecurityGroupRules).toEqual([made[1]])
})

test('groups can be found by the peers of their rules', async () => {
  const { client, groupId, allow } = await setUp()
  await allow(tcp(22, '1.0.0.0/8'))
  const find = async (Name: string, value: string) =>
    (
      await client.send(new DescribeSecurityGroupsCommand({ Filters: [{ Name, Values: [value] }] }))
    ).SecurityGroups?.map(({ GroupId }) => GroupId)
  expect(await find('ip-permission.cidr', '1.*')).toEqual([groupId])
  expect(await find('ip-permission.from-port', '22')).toEqual([groupId])
  expect(await find('egress.ip-permission.from-port', '22')).toEqual([])
})

describe('deleting a group', () => {
  const remove = (client: EC2Client, GroupId: string) =>
    client.send(new DeleteSecurityGroupCommand({ GroupId }))

  test('the deletion is refused while a rule of another group names it', async () => {
    const { client, vpcId, groupId, allow, revoke } = await setUp()
    const other = await network.newGroup(client, vpcId, 'other')
    const permission = { ...tcp(22), UserIdGroupPairs: [{ GroupId: other }] }
    await allow(permission)
    expect(await failureOf(remove(client, other))).toMatchObject({
      name: 'DependencyViolation',
      message: `resource ${other} has a dependent object`,
    })
    await revoke(permission)
    await expect(remove(client, other)).resolves.toMatchObject({ GroupId: other })
    expect(await failureOf(describeGroup(client, other))).toMatchObject({ name: 'InvalidGroup.NotFound' })
    expect(await describeGroup(client, groupId)).toBeDefined()
  })

  test('the deletion of the default group is refused', async () => {
    const { client, vpcId } = await setUp()
    const Filters = [
      { Name: 'vpc-id', Values: [vpcId] },
      { Name: 'group-name', Values: ['default'] },
    ]
    const { SecurityGroups } = await client.send(new DescribeSecurityGroupsCommand({ Filters }))
    const id = SecurityGroups?.[0]?.GroupId ?? ''
    expect(await failureOf(remove(client, id))).toMatchObject({
      name: 'CannotDelete',
      message: `the specified group: "${id}" name: "default" cannot be deleted by a user`,
    })
  })
})
