import {
  AuthorizeSecurityGroupEgressCommand,
  AuthorizeSecurityGroupIngressCommand,
  CreateTagsCommand,
  DeleteSecurityGroupCommand,
  DeleteTagsCommand,
  RevokeSecurityGroupEgressCommand,
  RevokeSecurityGroupIngressCommand,
} from '@aws-sdk/client-ec2'
import { describe, expect, test } from 'vitest'
import { createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { startAccount } from './testing/account.ts'
import { type BastionParts, blocks, infrastructureIn, namespace } from './testing/objects.ts'
import { stepsOver } from './testing/steps.ts'

const groupName = `${namespace}-cli-abc-bsg`
const instanceName = `${namespace}-cli-abc-bastion`
const description = 'Bastion security group'
const markedFor = (uid: string) => ({ 'trellis.gardener.cloud/created-for': uid })
const madeFor = (object: string) => ({ 'trellis.gardener.cloud/created-for-object': object })

const setUp = async (parts?: BastionParts) => {
  const account = startAccount()
  const network = await account.makeNetwork()
  const steps = stepsOver(account.aws.requestHandler, account.clock, parts)
  return { ...account, ...steps, network }
}

describe('a bastion of the Go extension', () => {
  test('is taken over without a write', async () => {
    const { makeLikeGo, network, until, aws, writes, instances } = await setUp()
    await makeLikeGo(network, ['203.0.113.7/32'])
    aws.calls.clear()
    const { status } = await until('reconcile')
    expect(writes()).toEqual([])
    expect(status).toEqual({
      ingress: {
        ip: (await instances())[0]?.PublicIpAddress,
        hostname: (await instances())[0]?.PublicDnsName,
      },
    })
  })

  test('loses only the leftover ranges', async () => {
    const { makeLikeGo, network, until, aws, writes } = await setUp()
    await makeLikeGo(network, ['203.0.113.7/32', '198.51.100.0/24'])
    aws.calls.clear()
    await until('reconcile')
    expect(writes()).toEqual(['RevokeSecurityGroupIngress'])
  })

  test('is deleted like one of ours', async () => {
    const { makeLikeGo, network, until, instances, groupNamed } = await setUp()
    await makeLikeGo(network, ['203.0.113.7/32'])
    await until('remove')
    expect(await instances()).toEqual([])
    expect(await groupNamed(groupName)).toBeUndefined()
    expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions).toEqual([])
  })

  test('is deleted even if its rule at the nodes is gone', async () => {
    const { makeLikeGo, network, until, ec2, groupNamed, instances } = await setUp()
    const { groupId } = await makeLikeGo(network, ['203.0.113.7/32'])
    const IpPermissions = [
      { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, UserIdGroupPairs: [{ GroupId: groupId }] },
    ]
    await ec2.send(new RevokeSecurityGroupIngressCommand({ GroupId: network.workers, IpPermissions }))
    await until('remove')
    expect(await instances()).toEqual([])
    expect(await groupNamed(groupName)).toBeUndefined()
  })
})

test('a group of the Go extension with only the rule of the nodes as its proof is owned until it is deleted', async () => {
  const { makeLikeGo, network, until, ec2, groupNamed, instances } = await setUp()
  const { groupId } = await makeLikeGo(network, ['203.0.113.7/32'])
  const IpPermissions = (await groupNamed(groupName))?.IpPermissionsEgress ?? []
  await ec2.send(new RevokeSecurityGroupEgressCommand({ GroupId: groupId, IpPermissions }))
  await until('remove')
  expect(await instances()).toEqual([])
  expect(await groupNamed(groupName)).toBeUndefined()
})

test('only the SSH rule of the nodes that references the bastion is revoked', async () => {
  const { until, step, ec2, groupNamed, network } = await setUp()
  await until('reconcile')
  const UserIdGroupPairs = [{ GroupId: String((await groupNamed(groupName))?.GroupId) }]
  const other = { IpProtocol: 'tcp', FromPort: 9090, ToPort: 9090, UserIdGroupPairs }
  await ec2.send(
    new AuthorizeSecurityGroupIngressCommand({ GroupId: network.workers, IpPermissions: [other] }),
  )
  await step('remove')
  expect((await groupNamed(`${namespace}-nodes`))?.IpPermissions).toMatchObject([{ FromPort: 9090 }])
})

describe('an instance with the name of the bastion', () => {
  test('in another group is neither used nor terminated, and is reported', async () => {
    const { makeInstance, makeGroup, network, until, instances, lines } = await setUp()
    const other = await makeGroup(network.vpcId, 'others', 'theirs')
    const theirs = await makeInstance(network.subnetId, other, instanceName)
    await until('reconcile')
    expect(await instances()).toHaveLength(2)
    expect(lines).toContainEqual({
      message: 'resources are orphaned',
      resources: [
        {
          what: 'instance',
          id: theirs,
          why: 'it has neither the tag of the Bastion nor its security group',
        },
      ],
    })
    lines.length = 0
    await until('remove')
    expect((await instances()).map(({ InstanceId }) => InstanceId)).toEqual([theirs])
    expect(lines).toContainEqual(expect.objectContaining({ message: 'resources are orphaned' }))
  })

  test('and the tag of another Bastion is foreign, even in our group', async () => {
    const { makeInstance, network, until, instances, step, groupNamed } = await setUp()
    await until('reconcile')
    const group = String((await groupNamed(groupName))?.GroupId)
    const tags = { ...markedFor('another'), ...madeFor(`${namespace}-cli/abc`) }
    const theirs = await makeInstance(network.subnetId, group, instanceName, tags)
    await step('remove')
    expect((await instances()).map(({ InstanceId }) => InstanceId)).toEqual([theirs])
  })
})

describe('a security group with the name of the bastion’s', () => {
  const inTheWay = /already exists: .*\. Delete it, or rename the Bastion$/

  test('that references no nodes of this shoot is a conflict and is retained', async () => {
    const { makeGroup, network, step, groupNamed, writes, aws, until } = await setUp()
    const theirs = await makeGroup(network.vpcId, groupName, description)
    aws.calls.clear()
    await expect(step('reconcile')).rejects.toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      message: expect.stringMatching(inTheWay),
    })
    await until('remove')
    expect(writes()).toEqual([])
    expect((await groupNamed(groupName))?.GroupId).toBe(theirs)
  })

  test.each([
    ['another description', 'by hand', {}],
    ['another tag Name', description, { Name: 'by hand' }],
  ])('and %s is a conflict, even if it references the nodes', async (_, text, tags) => {
    const { makeGroup, network, step, groupNamed, ec2, until } = await setUp()
    const theirs = await makeGroup(network.vpcId, groupName, text, tags)
    const out = {
      IpProtocol: 'tcp',
      FromPort: 22,
      ToPort: 22,
      UserIdGroupPairs: [{ GroupId: network.workers }],
    }
    await ec2.send(new AuthorizeSecurityGroupEgressCommand({ GroupId: theirs, IpPermissions: [out] }))
    await expect(step('reconcile')).rejects.toMatchObject({ message: expect.stringMatching(inTheWay) })
    await until('remove')
    expect((await groupNamed(groupName))?.GroupId).toBe(theirs)
  })

  test('and the tag of another Bastion is a conflict, even if it references the nodes', async () => {
    const { makeGroup, network, step, ec2, until, groupNamed } = await setUp()
    const tags = { ...markedFor('another'), ...madeFor(`${namespace}-cli/abc`) }
    const theirs = await makeGroup(network.vpcId, groupName, description, tags)
    const UserIdGroupPairs = [{ GroupId: network.workers }]
    const out = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, UserIdGroupPairs }
    await ec2.send(new AuthorizeSecurityGroupEgressCommand({ GroupId: theirs, IpPermissions: [out] }))
    await expect(step('reconcile')).rejects.toMatchObject({
      message: expect.stringContaining(`it was created for the Bastion ${namespace}-cli/abc`),
    })
    await until('remove')
    expect((await groupNamed(groupName))?.GroupId).toBe(theirs)
  })

  test('of a half-created bastion of ours is owned by its mark alone', async () => {
    const { makeGroup, network, until, groupNamed } = await setUp()
    const half = await makeGroup(network.vpcId, groupName, description, markedFor('bastion-uid'))
    await until('reconcile')
    expect((await groupNamed(groupName))?.GroupId).toBe(half)
  })
})

describe('a bastion that was recreated with the same name', () => {
  test('uses the group of its predecessor and starts a new machine', async () => {
    const account = await setUp()
    await account.until('reconcile')
    const group = (await account.groupNamed(groupName))?.GroupId
    const [old] = await account.instances()
    const { until } = stepsOver(account.aws.requestHandler, account.clock, recreated)
    await until('reconcile')
    const instances = await account.instances()
    expect(instances).toHaveLength(1)
    expect(instances[0]?.InstanceId).not.toBe(old?.InstanceId)
    expect((await account.groupNamed(groupName))?.GroupId).toBe(group)
  })

  test('removes the resources of its predecessor', async () => {
    const account = await setUp()
    await account.until('reconcile')
    await stepsOver(account.aws.requestHandler, account.clock, recreated).until('remove')
    expect(await account.instances()).toEqual([])
    expect(await account.groupNamed(groupName)).toBeUndefined()
  })

  test('recognizes an older machine without object tags by its group, which references the nodes', async () => {
    const { makeLikeGo, network, ec2, aws, clock, instances, groupNamed } = await setUp()
    const { groupId, instanceId } = await makeLikeGo(network, ['203.0.113.7/32'])
    const Tags = [{ Key: 'trellis.gardener.cloud/created-for', Value: 'bastion-uid' }]
    await ec2.send(new CreateTagsCommand({ Resources: [groupId, instanceId], Tags }))
    const { until } = stepsOver(aws.requestHandler, clock, recreated)
    await until('reconcile')
    expect((await instances()).map(({ InstanceId }) => InstanceId === instanceId)).toEqual([false])
    await until('remove')
    expect(await groupNamed(groupName)).toBeUndefined()
  })

  test('takes no resource of a namesake in the VPC of another shoot', async () => {
    const { aws, clock, makeNetwork, until, writes } = await setUp()
    await until('reconcile')
    const other = await makeNetwork()
    const infrastructure = infrastructureIn(other.vpcId)
    aws.calls.clear()
    await stepsOver(aws.requestHandler, clock, recreated, { infrastructure }).until('remove')
    expect(writes()).toEqual([])
  })
})

const recreated = { metadata: { uid: 'another' } }

describe('two shoots with one name in one account', () => {
  const setUpTwo = async () => {
    // The error names the VPCs in the order of AWS's list.
    const account = startAccount({}, createAws)
    const ours = await account.makeNetwork()
    const theirs = await account.makeNetwork()
    return { ...account, ours, theirs }
  }

  test('are distinguished by the VPC of the Infrastructure', async () => {
    const { ours, theirs, makeLikeGo, aws, clock, instances } = await setUpTwo()
    const { instanceId } = await makeLikeGo(theirs, ['203.0.113.7/32'])
    const infrastructure = infrastructureIn(ours.vpcId)
    const { until, lines } = stepsOver(aws.requestHandler, clock, {}, { infrastructure })
    await until('reconcile')
    expect(lines.find(({ message }) => message === 'resources are orphaned')?.resources).toContainEqual(
      expect.objectContaining({ why: `it is not in ${ours.vpcId}, the VPC of the shoot` }),
    )
    expect((await instances()).map(({ VpcId }) => VpcId)).toEqual([theirs.vpcId, ours.vpcId])
    await until('remove')
    expect((await instances()).map(({ InstanceId }) => InstanceId)).toEqual([instanceId])
  })

  test('are an error if nothing distinguishes them, and nothing unmarked is deleted', async () => {
    const { ours, theirs, makeLikeGo, aws, clock, instances, writes } = await setUpTwo()
    await makeLikeGo(theirs, ['203.0.113.7/32'])
    const { step, until } = stepsOver(aws.requestHandler, clock)
    aws.calls.clear()
    await expect(step('reconcile')).rejects.toMatchObject({
      codes: ['ERR_CONFIGURATION_PROBLEM'],
      message: expect.stringContaining(`${ours.vpcId}, ${theirs.vpcId}`),
    })
    await until('remove')
    expect(writes()).toEqual([])
    expect(await instances()).toHaveLength(1)
  })
})

test('a bastion of ours is deleted even if its infrastructure is gone first', async () => {
  const { until, network, ec2, groupNamed, groups } = await setUp({ spec: { ingress: blocks() } })
  await until('reconcile')
  // Stops where the infrastructure would: the rule in the bastion's group references the nodes' group.
  const group = await groupNamed(groupName)
  const IpPermissions = group?.IpPermissionsEgress ?? []
  await ec2.send(new RevokeSecurityGroupEgressCommand({ GroupId: group?.GroupId, IpPermissions }))
  const nodes = await groupNamed(`${namespace}-nodes`)
  await ec2.send(
    new RevokeSecurityGroupIngressCommand({
      GroupId: nodes?.GroupId,
      IpPermissions: nodes?.IpPermissions ?? [],
    }),
  )
  await ec2.send(new DeleteSecurityGroupCommand({ GroupId: network.workers }))
  await ec2.send(new DeleteTagsCommand({ Resources: [network.subnetId], Tags: [{ Key: 'Name' }] }))
  await until('remove')
  expect((await groups()).filter(({ GroupName }) => GroupName !== 'default')).toEqual([])
})
