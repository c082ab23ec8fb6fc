import {
  CreateTagsCommand,
  CreateVpcCommand,
  DeleteTagsCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  type EC2Client,
  type Tag,
  type TagSpecification,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../simulator.ts'
import { failureOf } from '../../testing/clients.ts'
import * as network from '../testing/network.ts'

const setUp = async () => {
  const client = network.ec2ClientOf(createAws({ ec2: { durations: { scale: 0 }, defaultVpc: false } }))
  return { client, vpcId: await network.newVpc(client) }
}

const tagsOf = async (client: EC2Client, id: string) =>
  (await client.send(new DescribeVpcsCommand({ VpcIds: [id] }))).Vpcs?.[0]?.Tags

const tag = (client: EC2Client, id: string, ...Tags: Tag[]) =>
  client.send(new CreateTagsCommand({ Resources: [id], Tags }))

const untag = (client: EC2Client, id: string, ...Tags: Tag[]) =>
  client.send(new DeleteTagsCommand({ Resources: [id], ...(Tags.length > 0 ? { Tags } : {}) }))

const many = (count: number): Tag[] =>
  Array.from({ length: count }, (_, index) => ({ Key: `k${index}`, Value: 'v' }))

describe('tags', () => {
  test('tags are removed by key, by key and value, or all together', async () => {
    const { client, vpcId } = await setUp()
    const all = ['a', 'b', 'c'].map(Key => ({ Key, Value: Key.toUpperCase() }))
    await tag(client, vpcId, ...all)
    await untag(client, vpcId, { Key: 'a' }, { Key: 'b', Value: 'other' })
    expect(await tagsOf(client, vpcId)).toEqual(all.slice(1))
    await untag(client, vpcId, { Key: 'b', Value: 'B' })
    expect(await tagsOf(client, vpcId)).toEqual(all.slice(2))
    await untag(client, vpcId)
    expect(await tagsOf(client, vpcId)).toEqual([])
  })

  test('a resource can have fifty tags', async () => {
    const { client, vpcId } = await setUp()
    await tag(client, vpcId, ...many(50))
    expect(await failureOf(tag(client, vpcId, { Key: 'one more', Value: '' }))).toMatchObject({
      name: 'TagLimitExceeded',
      message: 'The maximum number of Tags for a resource has been reached.',
    })
    await tag(client, vpcId, { Key: 'k0', Value: 'replaced' })
    expect(await tagsOf(client, vpcId)).toHaveLength(50)
  })

  test.each<[string, Tag[], string, string]>([
    [
      'a reserved key',
      [{ Key: 'aws:cloudformation:stack-name', Value: 'x' }],
      'InvalidParameterValue',
      "Tag keys starting with 'aws:' are reserved for internal use",
    ],
    [
      'a long key',
      [{ Key: 'k'.repeat(128), Value: 'x' }],
      'InvalidParameterValue',
      'Tag key exceeds the maximum length of 127 characters',
    ],
    [
      'a long value',
      [{ Key: 'k', Value: 'v'.repeat(257) }],
      'InvalidParameterValue',
      'Tag value exceeds the maximum length of 256 characters',
    ],
    [
      'a key twice',
      [
        { Key: 'k', Value: '1' },
        { Key: 'k', Value: '2' },
      ],
      'InvalidParameterValue',
      "Duplicate tag key 'k' specified.",
    ],
  ])('rules with %s are refused', async (_, tags, name, message) => {
    const { client, vpcId } = await setUp()
    expect(await failureOf(tag(client, vpcId, ...tags))).toMatchObject({ name, message })
    expect(await tagsOf(client, vpcId)).toEqual([])
  })

  test('tags are added to all resources of a request or to none', async () => {
    const { client, vpcId } = await setUp()
    const Resources = [vpcId, 'subnet-0000000000000000f']
    expect(
      await failureOf(client.send(new CreateTagsCommand({ Resources, Tags: [{ Key: 'a', Value: 'b' }] }))),
    ).toMatchObject({ name: 'InvalidSubnetID.NotFound' })
    expect(await tagsOf(client, vpcId)).toEqual([])
  })

  test('an id of an unknown kind is refused', async () => {
    const { client } = await setUp()
    expect(await failureOf(tag(client, 'foo-0000000000000000f', { Key: 'a', Value: 'b' }))).toMatchObject({
      name: 'InvalidID',
      message: "The ID 'foo-0000000000000000f' is not valid",
    })
  })

  test('the filters of a list find new tags at once', async () => {
    const { client, vpcId } = await setUp()
    const id = await network.newSubnet(client, vpcId)
    const find = async (...Filters: { Name: string; Values: string[] }[]) =>
      (await client.send(new DescribeSubnetsCommand({ Filters }))).Subnets?.map(({ SubnetId }) => SubnetId)
    await tag(client, id, { Key: 'kubernetes.io/role/elb', Value: '1' })
    expect(await find({ Name: 'tag:kubernetes.io/role/elb', Values: ['1'] })).toEqual([id])
    expect(await find({ Name: 'tag-key', Values: ['kubernetes.io/role/elb'] })).toEqual([id])
    await untag(client, id)
    expect(await find({ Name: 'tag-key', Values: ['kubernetes.io/role/elb'] })).toEqual([])
  })

  test('security group rules have tags too', async () => {
    const { client, vpcId } = await setUp()
    const groupId = await network.newGroup(client, vpcId)
    const Filters = [{ Name: 'group-id', Values: [groupId] }]
    const rule = async () =>
      (await client.send(new DescribeSecurityGroupRulesCommand({ Filters }))).SecurityGroupRules?.[0]
    await tag(client, (await rule())?.SecurityGroupRuleId ?? '', { Key: 'a', Value: 'b' })
    expect((await rule())?.Tags).toEqual([{ Key: 'a', Value: 'b' }])
  })
})

describe('tags of a new resource', () => {
  const create = (client: EC2Client, ...TagSpecifications: TagSpecification[]) =>
    client.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16', TagSpecifications }))

  test('the tags exist from the start', async () => {
    const { client } = await setUp()
    const Tags = [
      { Key: '__proto__', Value: 'x' },
      { Key: 'Name', Value: 'y' },
    ]
    expect((await create(client, { ResourceType: 'vpc', Tags })).Vpc?.Tags).toEqual(Tags)
  })

  test('a new resource can have fifty tags', async () => {
    const { client } = await setUp()
    expect(await failureOf(create(client, { ResourceType: 'vpc', Tags: many(51) }))).toMatchObject({
      name: 'TagLimitExceeded',
    })
  })

  test.each<[string, TagSpecification[], string]>([
    [
      'for another type',
      [{ ResourceType: 'subnet', Tags: [{ Key: 'a', Value: 'b' }] }],
      "'subnet' is not a valid taggable resource type for this operation.",
    ],
    ['without any', [{ ResourceType: 'vpc' }], 'Tag specification must have at least one tag'],
    [
      'for the same type twice',
      [
        { ResourceType: 'vpc', Tags: [{ Key: 'a', Value: 'b' }] },
        { ResourceType: 'vpc', Tags: [{ Key: 'c', Value: 'd' }] },
      ],
      "Tag specification resource type 'vpc' must not be specified more than once",
    ],
  ])('the tags are refused %s', async (_, specifications, message) => {
    const { client } = await setUp()
    expect(await failureOf(create(client, ...specifications))).toMatchObject({
      name: 'InvalidParameterValue',
      message,
    })
  })
})
