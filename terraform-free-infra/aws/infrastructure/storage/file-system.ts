import {
  CreateFileSystemCommand,
  DeleteFileSystemCommand,
  type FileSystemDescription,
  type LifeCycleState,
} from '@aws-sdk/client-efs'
import type { Found, FoundStatus, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { tagsOf } from '../tags.ts'
import { type EfsReads, fileSystemKey } from './efs-reads.ts'

export interface FileSystemOutcome {
  readonly id: string
}
type NoAttributes = Readonly<Record<never, never>>

export const statusOf = (state: LifeCycleState | undefined): FoundStatus => {
  switch (state) {
    case 'creating':
      return 'pending'
    case 'error':
      return 'failed'
    case 'deleting':
      return 'deleting'
    case 'deleted':
      return 'gone'
    default:
      return 'ready'
  }
}

/** The file system of the shoot. Its creation token is the uid of the shoot, so there is at most one. */
export const fileSystemType = (
  desired: DesiredInfrastructure,
  { made }: EfsReads,
): ResourceType<AwsCloud, NoAttributes, FileSystemOutcome> => ({
  what: 'file system',
  list: async ({ read }) => {
    const system = await read(made)
    return system === undefined ? [] : [foundSystem(system)]
  },
  create: async ({ cloud, signal }) => {
    // Only the file system has the managed-by tag; no other resource has it
    // (docs/contract/provider-aws-defects.md#tag-of-the-file-system-on-others).
    const tags = tagsOf(desired, desired.clusterName, { 'managed-by-gardener': 'true' })
    return foundSystem(
      await cloud.efs.send(
        new CreateFileSystemCommand({
          CreationToken: desired.shootUid,
          Encrypted: true,
          Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
        }),
        { abortSignal: signal },
      ),
    )
  },
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.efs.send(new DeleteFileSystemCommand({ FileSystemId: id }), { abortSignal: signal })
    return 'going'
  },
  remembers: key => key === fileSystemKey,
  patienceMs: 12_000,
})

const foundSystem = ({
  FileSystemId: id = '',
  LifeCycleState: state,
}: Pick<FileSystemDescription, 'FileSystemId' | 'LifeCycleState'>): Found<
  NoAttributes,
  FileSystemOutcome
> => ({
  id,
  key: '',
  status: statusOf(state),
  attributes: {},
  outcome: { id },
  // Proved by its creation token, which is the uid of the shoot.
  ours: 'proved',
  // Whatever the config says, it is only deleted with the shoot.
  retain: 'it may hold data',
})

/** The user's file system and its mount targets by subnet. It must exist and is never changed. */
export interface GivenOutcome extends FileSystemOutcome {
  readonly targets: Readonly<Record<string, string>>
}

export const givenFileSystemType = ({
  given,
  mountTargets,
}: EfsReads): ResourceType<AwsCloud, NoAttributes, GivenOutcome> => ({
  what: 'given file system',
  list: async ({ read }) => {
    const system = await read(given)
    if (system === undefined) return []
    const id = system.FileSystemId ?? ''
    const targets = (await read(mountTargets)).flatMap(({ FileSystemId, SubnetId, MountTargetId }) =>
      FileSystemId === id && SubnetId && MountTargetId ? [[SubnetId, MountTargetId] as const] : [],
    )
    return [
      {
        id,
        key: id,
        status: statusOf(system.LifeCycleState),
        attributes: {},
        outcome: { id, targets: Object.fromEntries(targets) },
        foreign: true,
      },
    ]
  },
})
