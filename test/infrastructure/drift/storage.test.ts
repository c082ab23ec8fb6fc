import {
  CreateFileSystemCommand,
  DeleteFileSystemCommand,
  DeleteMountTargetCommand,
  DescribeFileSystemsCommand,
  DescribeMountTargetsCommand,
  UntagResourceCommand,
} from '@aws-sdk/client-efs'
import { describe, expect } from 'vitest'
import type { Hands } from '../made-shoot.ts'
import { testDrifts, usual } from './drift.ts'

const targetsOf = async ({ efs, id }: Hands) =>
  (await efs.send(new DescribeMountTargetsCommand({ FileSystemId: id('efsSystemID') }))).MountTargets ?? []

const deleteTargets = async (hands: Hands, zones: readonly string[]) => {
  for (const { MountTargetId, AvailabilityZoneName } of await targetsOf(hands)) {
    if (!zones.includes(AvailabilityZoneName ?? '')) continue
    await hands.efs.send(new DeleteMountTargetCommand({ MountTargetId }))
  }
  await hands.wait(600_000)
}

describe('on the file system, an operator', () => {
  testDrifts(usual, [
    {
      what: 'deletes a mount target',
      done: hands => deleteTargets(hands, ['eu-west-1a']),
      repaired: ['CreateMountTarget efsSystemID a/SubnetWorkers NodesSecurityGroup'],
    },
    {
      what: 'deletes all of it',
      done: async hands => {
        await deleteTargets(hands, ['eu-west-1a', 'eu-west-1b'])
        await hands.efs.send(new DeleteFileSystemCommand({ FileSystemId: hands.id('efsSystemID') }))
        await hands.wait(600_000)
      },
      repaired: [
        'CreateFileSystem',
        'CreateMountTarget new efsSystemID a/SubnetWorkers NodesSecurityGroup',
        'CreateMountTarget new efsSystemID b/SubnetWorkers NodesSecurityGroup',
      ],
    },
    {
      what: 'takes its tags away, by which it is not looked for',
      done: ({ efs, id }) =>
        efs.send(new UntagResourceCommand({ ResourceId: id('efsSystemID'), TagKeys: ['Name'] })),
      repaired: [],
    },
    {
      what: 'makes another one, which is theirs',
      done: ({ efs }) => efs.send(new CreateFileSystemCommand({ CreationToken: 'theirs' })),
      repaired: [],
      survives: async ({ efs }) =>
        expect((await efs.send(new DescribeFileSystemsCommand({}))).FileSystems).toHaveLength(2),
    },
  ])
})
