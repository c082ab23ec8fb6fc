import * as efs from '@aws-sdk/client-efs'
import { test } from 'vitest'
import { makeNetwork } from '../testing/network.ts'
import { expectRefusal, type Refusal, type World } from '../testing/refusal.ts'

const clientOf = ({ settings }: World) => new efs.EFSClient(settings)

const newFileSystem = async (world: World) => {
  const { FileSystemId } = await clientOf(world).send(
    new efs.CreateFileSystemCommand({ CreationToken: 'uid' }),
  )
  await world.clock.advance(10_000)
  return FileSystemId
}
const newMountTarget = async (world: World, FileSystemId: string | undefined) => {
  const { subnets } = await makeNetwork(world.aws)
  const create = new efs.CreateMountTargetCommand({ FileSystemId, SubnetId: subnets[0] })
  await clientOf(world).send(create)
  return create
}

const refusals: readonly Refusal[] = [
  [
    'a token that was used',
    async world => [await newFileSystem(world), await newFileSystem(world)],
    'FileSystemAlreadyExists',
    409,
    /^File system 'fs-[0-9a-f]{17}' already exists with creation token 'uid'$/,
  ],
  [
    'a file system that there is not',
    world => clientOf(world).send(new efs.DeleteFileSystemCommand({ FileSystemId: 'fs-0123456789abcdef0' })),
    'FileSystemNotFound',
    404,
    "File system 'fs-0123456789abcdef0' does not exist.",
  ],
  [
    'a mount target that there is not',
    world =>
      clientOf(world).send(new efs.DeleteMountTargetCommand({ MountTargetId: 'fsmt-0123456789abcdef0' })),
    'MountTargetNotFound',
    404,
    "Mount target 'fsmt-0123456789abcdef0' does not exist.",
  ],
  [
    'a second mount target in a zone',
    async world => clientOf(world).send(await newMountTarget(world, await newFileSystem(world))),
    'MountTargetConflict',
    409,
    'mount target already exists in this AZ',
  ],
  [
    'deleting a file system with a mount target',
    async world => {
      const FileSystemId = await newFileSystem(world)
      await newMountTarget(world, FileSystemId)
      return clientOf(world).send(new efs.DeleteFileSystemCommand({ FileSystemId }))
    },
    'FileSystemInUse',
    409,
    /because it has mount targets\.$/,
  ],
]

test.each(refusals)('EFS refuses %s', expectRefusal)
