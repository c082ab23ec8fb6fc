import { CreateSubnetCommand, DeleteSecurityGroupCommand, DeleteSubnetCommand } from '@aws-sdk/client-ec2'
import * as efs from '@aws-sdk/client-efs'
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../../../../shared/clock/clock.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf } from '../testing/clients.ts'
import { makeNetwork } from '../testing/network.ts'

const start = Date.parse('2026-01-01T00:00:00Z')
const durations = {
  fileSystemAvailable: 5_000,
  fileSystemDeleted: 4_000,
  mountTargetAvailable: 80_000,
  mountTargetDeleted: 20_000,
}

const newEfs = () => {
  const clock = virtualClock(start)
  const aws = createAws({ clock, efs: { durations } })
  const client = new efs.EFSClient(clientSettings(aws))
  return { aws, clock, client }
}

const withFileSystem = async () => {
  const world = newEfs()
  const { client, clock } = world
  const made = await client.send(new efs.CreateFileSystemCommand({ CreationToken: 'uid', Encrypted: true }))
  const FileSystemId = String(made.FileSystemId)
  await clock.advance(durations.fileSystemAvailable)
  const stateOf = async () => {
    const { FileSystems } = await client.send(new efs.DescribeFileSystemsCommand({ FileSystemId }))
    return FileSystems?.[0]?.LifeCycleState
  }
  const targets = async () => {
    const { MountTargets } = await client.send(new efs.DescribeMountTargetsCommand({ FileSystemId }))
    return MountTargets ?? []
  }
  return { ...world, FileSystemId, stateOf, targets }
}

describe('file systems', () => {
  test('a file system is creating, then available, with its requested properties', async () => {
    const { client, clock } = newEfs()
    const Tags = [
      { Key: 'Name', Value: 'shoot' },
      { Key: 'managed-by-gardener', Value: 'true' },
    ]
    const made = await client.send(
      new efs.CreateFileSystemCommand({ CreationToken: 'uid', Encrypted: true, Tags }),
    )
    const read = () => client.send(new efs.DescribeFileSystemsCommand({ CreationToken: 'uid' }))
    expect(made).toMatchObject({
      $metadata: { httpStatusCode: 201 },
      FileSystemId: expect.stringMatching(/^fs-[0-9a-f]{17}$/),
      FileSystemArn: `arn:aws:elasticfilesystem:eu-west-1:123456789012:file-system/${made.FileSystemId}`,
      LifeCycleState: 'creating',
      CreationTime: new Date(start),
      Name: 'shoot',
      NumberOfMountTargets: 0,
      PerformanceMode: 'generalPurpose',
      ThroughputMode: 'bursting',
      Encrypted: true,
      Tags,
    })
    expect((await read()).FileSystems?.[0]?.LifeCycleState).toBe('creating')
    await clock.advance(durations.fileSystemAvailable)
    expect((await read()).FileSystems?.[0]?.LifeCycleState).toBe('available')
  })

  test('a creation token belongs to one file system and is free again once that is deleted', async () => {
    const { client, clock, FileSystemId } = await withFileSystem()
    const again = () => client.send(new efs.CreateFileSystemCommand({ CreationToken: 'uid' }))
    expect(await failureOf(again())).toMatchObject({
      name: 'FileSystemAlreadyExists',
      ErrorCode: 'FileSystemAlreadyExists',
      FileSystemId,
      message: `File system '${FileSystemId}' already exists with creation token 'uid'`,
      $metadata: { httpStatusCode: 409 },
    })
    await client.send(new efs.DeleteFileSystemCommand({ FileSystemId }))
    expect(await failureOf(again())).toMatchObject({ name: 'FileSystemAlreadyExists' })
    await clock.advance(durations.fileSystemDeleted)
    await expect(again()).resolves.toMatchObject({ LifeCycleState: 'creating' })
  })

  test('a deleted file system is deleting, then not found', async () => {
    const { client, clock, FileSystemId, stateOf } = await withFileSystem()
    await client.send(new efs.DeleteFileSystemCommand({ FileSystemId }))
    expect(await stateOf()).toBe('deleting')
    await clock.advance(durations.fileSystemDeleted)
    expect(await failureOf(stateOf())).toMatchObject({
      name: 'FileSystemNotFound',
      message: `File system '${FileSystemId}' does not exist.`,
      $metadata: { httpStatusCode: 404 },
    })
  })

  test('file systems are listed in pages', async () => {
    const { client } = newEfs()
    for (const CreationToken of ['a', 'b', 'c']) {
      await client.send(new efs.CreateFileSystemCommand({ CreationToken }))
    }
    const pages: (string | undefined)[][] = []
    for await (const page of efs.paginateDescribeFileSystems({ client, pageSize: 2 }, {})) {
      pages.push((page.FileSystems ?? []).map(({ CreationToken }) => CreationToken))
    }
    expect(pages).toEqual([['a', 'b'], ['c']])
  })

  test('a file system can be tagged and untagged', async () => {
    const { client, FileSystemId: ResourceId } = await withFileSystem()
    const tags = async () => (await client.send(new efs.ListTagsForResourceCommand({ ResourceId }))).Tags
    await client.send(new efs.TagResourceCommand({ ResourceId, Tags: [{ Key: 'a', Value: '1' }] }))
    await client.send(
      new efs.TagResourceCommand({
        ResourceId,
        Tags: [
          { Key: 'a', Value: '2' },
          { Key: 'b', Value: '' },
        ],
      }),
    )
    expect(await tags()).toEqual([
      { Key: 'a', Value: '2' },
      { Key: 'b', Value: '' },
    ])
    await client.send(new efs.UntagResourceCommand({ ResourceId, TagKeys: ['a'] }))
    expect(await tags()).toEqual([{ Key: 'b', Value: '' }])
  })

  test.each([
    [{ ThroughputMode: 'provisioned' }, /ProvisionedThroughputInMibps/],
    [{ KmsKeyId: 'key' }, /KmsKeyId/],
    [{ AvailabilityZoneName: 'us-east-1a' }, /AvailabilityZoneName/],
    [{ Tags: [{ Key: 'aws:x', Value: '' }] }, /tag key/],
  ] as const)('a file system with %j is refused', async (input, message) => {
    const { client } = newEfs()
    const create = new efs.CreateFileSystemCommand({
      CreationToken: 't',
      ...input,
    } as efs.CreateFileSystemCommandInput)
    expect(await failureOf(client.send(create))).toMatchObject({
      name: 'BadRequest',
      message: expect.stringMatching(message),
      $metadata: { httpStatusCode: 400 },
    })
  })

  test('a file system with a parameter that the simulator does not support is refused', async () => {
    const { aws, client } = newEfs()
    const create = new efs.CreateFileSystemCommand({ CreationToken: 't', Backup: true })
    expect(await failureOf(client.send(create))).toMatchObject({
      name: 'NotImplemented',
      message: 'The simulator does not support the parameter Backup.',
    })
    expect(aws.notBuilt.take()).toHaveLength(1)
  })
})

describe('mount targets', () => {
  test('a mount target has an address in its subnet and holds subnet and group until it is deleted', async () => {
    const { aws, client, clock, FileSystemId, targets } = await withFileSystem()
    const { ec2, subnets, groupId, interfaces, vpcId } = await makeNetwork(aws)
    const made = await client.send(
      new efs.CreateMountTargetCommand({ FileSystemId, SubnetId: subnets[0], SecurityGroups: [groupId] }),
    )
    expect(made).toMatchObject({
      LifeCycleState: 'creating',
      IpAddress: expect.stringMatching(/^10\.0\.0\.\d+$/),
      VpcId: vpcId,
      AvailabilityZoneName: 'eu-west-1a',
    })
    expect(await interfaces()).toMatchObject([
      {
        NetworkInterfaceId: made.NetworkInterfaceId,
        PrivateIpAddress: made.IpAddress,
        Description: `EFS mount target for ${FileSystemId} (${made.MountTargetId})`,
        Groups: [{ GroupId: groupId }],
      },
    ])
    await clock.advance(durations.mountTargetAvailable)
    expect((await targets())[0]?.LifeCycleState).toBe('available')

    const { MountTargetId } = made
    await client.send(new efs.DeleteMountTargetCommand({ MountTargetId }))
    expect((await targets())[0]?.LifeCycleState).toBe('deleting')
    const deleteSubnet = () => ec2.send(new DeleteSubnetCommand({ SubnetId: subnets[0] }))
    const deleteGroup = () => ec2.send(new DeleteSecurityGroupCommand({ GroupId: groupId }))
    expect(await failureOf(deleteSubnet())).toMatchObject({ name: 'DependencyViolation' })
    expect(await failureOf(deleteGroup())).toMatchObject({ name: 'DependencyViolation' })
    await clock.advance(durations.mountTargetDeleted)
    expect(await targets()).toEqual([])
    expect(await interfaces()).toEqual([])
    await deleteSubnet()
    await deleteGroup()
    expect(await failureOf(client.send(new efs.DeleteMountTargetCommand({ MountTargetId })))).toMatchObject({
      name: 'MountTargetNotFound',
      message: `Mount target '${MountTargetId}' does not exist.`,
    })
  })

  test('a mount target blocks the deletion of its file system until its own deletion is complete', async () => {
    const { aws, client, clock, FileSystemId, stateOf } = await withFileSystem()
    const { subnets } = await makeNetwork(aws)
    const { MountTargetId } = await client.send(
      new efs.CreateMountTargetCommand({ FileSystemId, SubnetId: subnets[0] }),
    )
    const deletion = () => client.send(new efs.DeleteFileSystemCommand({ FileSystemId }))
    expect(await failureOf(deletion())).toMatchObject({
      name: 'FileSystemInUse',
      message: expect.stringMatching(/because it has mount targets\.$/),
      $metadata: { httpStatusCode: 409 },
    })
    await client.send(new efs.DeleteMountTargetCommand({ MountTargetId }))
    expect(await failureOf(deletion())).toMatchObject({ name: 'FileSystemInUse' })
    await clock.advance(durations.mountTargetDeleted)
    await deletion()
    expect(await stateOf()).toBe('deleting')
  })

  test('a mount target must be the only one in its zone, and in the same VPC as the others', async () => {
    const { aws, client, FileSystemId } = await withFileSystem()
    const { ec2, subnets, vpcId } = await makeNetwork(aws)
    const elsewhere = await makeNetwork(aws)
    const mount = (SubnetId: string) =>
      client.send(new efs.CreateMountTargetCommand({ FileSystemId, SubnetId }))
    await mount(subnets[0])
    const sibling = await ec2.send(
      new CreateSubnetCommand({ VpcId: vpcId, CidrBlock: '10.0.9.0/24', AvailabilityZone: 'eu-west-1a' }),
    )
    const conflict = { name: 'MountTargetConflict', $metadata: { httpStatusCode: 409 } }
    expect(await failureOf(mount(String(sibling.Subnet?.SubnetId)))).toMatchObject({
      ...conflict,
      message: 'mount target already exists in this AZ',
    })
    expect(await failureOf(mount(elsewhere.subnets[1]))).toMatchObject(conflict)
    await expect(mount(subnets[1])).resolves.toBeDefined()
  })

  test('a mount target is refused if a resource that it needs is missing or not ready', async () => {
    const { aws, client, clock, FileSystemId } = await withFileSystem()
    const { subnets } = await makeNetwork(aws)
    const mount = (input: Partial<efs.CreateMountTargetCommandInput>) =>
      client.send(new efs.CreateMountTargetCommand({ FileSystemId, SubnetId: subnets[0], ...input }))
    expect(await failureOf(mount({ FileSystemId: 'fs-1' }))).toMatchObject({ name: 'FileSystemNotFound' })
    expect(await failureOf(mount({ SubnetId: 'subnet-1' }))).toMatchObject({
      name: 'SubnetNotFound',
      $metadata: { httpStatusCode: 400 },
    })
    expect(await failureOf(mount({ SecurityGroups: ['sg-1'] }))).toMatchObject({
      name: 'SecurityGroupNotFound',
    })
    expect(await failureOf(mount({ IpAddressType: 'DUAL_STACK' }))).toMatchObject({ name: 'BadRequest' })
    const fresh = await client.send(new efs.CreateFileSystemCommand({ CreationToken: 'other' }))
    expect(await failureOf(mount({ FileSystemId: String(fresh.FileSystemId) }))).toMatchObject({
      name: 'IncorrectFileSystemLifeCycleState',
      $metadata: { httpStatusCode: 409 },
    })
    await clock.advance(durations.fileSystemAvailable)
    await expect(mount({ FileSystemId: String(fresh.FileSystemId) })).resolves.toBeDefined()
  })

  test('changing the groups of a mount target changes those of its interface', async () => {
    const { aws, client, clock, FileSystemId } = await withFileSystem()
    const { subnets, groupId, interfaces } = await makeNetwork(aws)
    const { MountTargetId } = await client.send(
      new efs.CreateMountTargetCommand({ FileSystemId, SubnetId: subnets[0] }),
    )
    const change = new efs.ModifyMountTargetSecurityGroupsCommand({
      MountTargetId,
      SecurityGroups: [groupId],
    })
    expect(await failureOf(client.send(change))).toMatchObject({ name: 'IncorrectMountTargetState' })
    await clock.advance(durations.mountTargetAvailable)
    await client.send(change)
    expect((await interfaces())[0]?.Groups).toMatchObject([{ GroupId: groupId }])
  })
})

test('a snapshot restores file systems that are still being created', async () => {
  const { aws, clock, client, FileSystemId } = await withFileSystem()
  const snapshot = JSON.parse(JSON.stringify(aws.account().snapshot()))
  await client.send(new efs.DeleteFileSystemCommand({ FileSystemId }))
  await clock.advance(60_000)
  aws.account().restore(snapshot)
  const { FileSystems } = await client.send(new efs.DescribeFileSystemsCommand({}))
  expect(FileSystems).toMatchObject([{ FileSystemId, LifeCycleState: 'available' }])
})

test('errors of EFS have its own wording', async () => {
  const { aws } = newEfs()
  aws.account().register({ accessKeyId: 'AKIAKNOWN', secretAccessKey: 'right', allow: [] })
  const known = { accessKeyId: 'AKIAKNOWN', secretAccessKey: 'right' }
  const list = (settings: object) =>
    failureOf(new efs.EFSClient(clientSettings(aws, settings)).send(new efs.DescribeFileSystemsCommand({})))
  expect(await list(known)).toMatchObject({
    name: 'AccessDeniedException',
    $metadata: { httpStatusCode: 403 },
  })
  expect(await list({ ...known, secretAccessKey: 'wrong' })).toMatchObject({
    name: 'InvalidSignatureException',
  })
  aws.faults.add({ effect: { kind: 'throttle' } })
  expect(
    await failureOf(new efs.EFSClient(clientSettings(aws)).send(new efs.DescribeFileSystemsCommand({}))),
  ).toMatchObject({
    name: 'ThrottlingException',
    $metadata: { httpStatusCode: 429 },
  })
})

test('the tags of a file system are listed in pages', async () => {
  const { client, FileSystemId: ResourceId } = await withFileSystem()
  const Tags = ['a', 'b', 'c'].map(Key => ({ Key, Value: Key }))
  await client.send(new efs.TagResourceCommand({ ResourceId, Tags }))
  const page = (NextToken?: string) =>
    client.send(
      new efs.ListTagsForResourceCommand({ ResourceId, MaxResults: 2, ...(NextToken ? { NextToken } : {}) }),
    )
  const first = await page()
  expect(first.Tags).toEqual(Tags.slice(0, 2))
  expect(await page(first.NextToken)).toMatchObject({ Tags: Tags.slice(2) })
  expect((await page(first.NextToken)).NextToken).toBeUndefined()
})
