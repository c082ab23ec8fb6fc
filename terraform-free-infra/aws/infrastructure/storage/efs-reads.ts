import {
  DescribeFileSystemsCommand,
  type DescribeFileSystemsCommandInput,
  DescribeMountTargetsCommand,
  type FileSystemDescription,
  type MountTargetDescription,
} from '@aws-sdk/client-efs'
import { notedWaits, type Observation, type State } from '../../../engine/engine.ts'
import { allPages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { ifFound } from '../error-kind-of.ts'
import { isDoneWith, type Purpose } from '../purpose.ts'
import { isCluster } from '../tags.ts'

export const fileSystemKey = 'efsSystemID'
const targetPrefix = 'efsMountTargets/'

export const isTargetKey = (stateKey: string): boolean => stateKey.startsWith(targetPrefix)

/** The key of a mount target: `efsMountTargets/fs-1_subnet-1_sg-1`, without a group for one that is only looked up. */
export const targetKey = (fileSystem: string, subnet: string, group?: string): string =>
  `${targetPrefix}${[fileSystem, subnet, ...(group === undefined ? [] : [group])].join('_')}`

/** The group that a mount target was made with, as the state has it. */
export const groupInState = (state: State, id: string): string | undefined =>
  Object.keys(state)
    .find(key => isTargetKey(key) && state[key] === id)
    ?.split('_')[2]

/** The file system that was used, as far as the state tells: one that was made, or the user's. */
export const fileSystemInState = (
  state: State,
): { readonly made: string | undefined; readonly given: string | undefined } | undefined => {
  const made = state[fileSystemKey]
  if (made !== undefined) return { made, given: undefined }
  const [key] = Object.keys(state).filter(isTargetKey)
  return key === undefined ? undefined : { made, given: key.slice(targetPrefix.length).split('_')[0] }
}

type KnownFileSystem = Pick<
  FileSystemDescription,
  'FileSystemId' | 'LifeCycleState' | 'NumberOfMountTargets'
> &
  Partial<Pick<FileSystemDescription, 'CreationToken' | 'Tags'>>

export interface EfsReads {
  /** The file system that was made for the shoot, also one that is no longer desired. */
  readonly made: Observation<AwsCloud, KnownFileSystem | undefined>
  /** The user's. */
  readonly given: Observation<AwsCloud, KnownFileSystem | undefined>
  /** Of both. */
  readonly mountTargets: Observation<AwsCloud, readonly MountTargetDescription[]>
}

/** The reads of one graph: none without EFS, now and before. */
export const efsReads = (desired: DesiredInfrastructure, purpose: Purpose): EfsReads => {
  const givenId = desired.fileSystem?.id
  const describe = async (
    { cloud, signal }: { readonly cloud: AwsCloud; readonly signal: AbortSignal },
    input: DescribeFileSystemsCommandInput,
  ) => {
    const command = new DescribeFileSystemsCommand(input)
    return (await ifFound(cloud.efs.send(command, { abortSignal: signal })))?.FileSystems?.[0]
  }
  const targetsOf = (
    { cloud, signal }: { readonly cloud: AwsCloud; readonly signal: AbortSignal },
    FileSystemId: string,
  ) =>
    allPages(async Marker => {
      const command = new DescribeMountTargetsCommand({ FileSystemId, ...(Marker && { Marker }) })
      const answer = await ifFound(cloud.efs.send(command, { abortSignal: signal }))
      return { items: answer?.MountTargets, next: answer?.NextMarker }
    })
  /**
   * Of the file system in the state, where that knows of any. Not while something goes: then the file system
   * has to be asked for anyway, and says how many are left.
   */
  const madeTargets: EfsReads['mountTargets'] = {
    name: 'mount targets in the state',
    observe: async context => {
      const { [fileSystemKey]: id, ...others } = context.state
      const settled =
        Object.keys(others).some(isTargetKey) && notedWaits(others).every(({ how }) => how === 'pending')
      return id !== undefined && settled ? targetsOf(context, id) : []
    },
  }
  // With it goes what is in it: an id in the state is not enough.
  const isOurs = ({ CreationToken, Tags }: KnownFileSystem): boolean =>
    CreationToken === desired.shootUid || isCluster(desired, Tags)
  const made: EfsReads['made'] = {
    name: 'file system',
    observe: async context => {
      const { [fileSystemKey]: id } = context.state
      // Given by the user from now on, it is the user's.
      if (id !== undefined && id === givenId) return undefined
      // To delete it, it is always asked whose it is. EFS deletes none that has mount targets, and ours cannot fail: that is of One Zone file systems alone (EFS user
      // guide, "Understanding file system status").
      const targets = purpose.destroying ? [] : await context.read(madeTargets)
      if (targets.some(({ LifeCycleState }) => LifeCycleState === 'available')) {
        return { FileSystemId: id, LifeCycleState: 'available', NumberOfMountTargets: targets.length }
      }
      const known = id === undefined ? undefined : await describe(context, { FileSystemId: id })
      if (known !== undefined && isOurs(known)) return known
      if (desired.fileSystem === undefined || givenId !== undefined) return undefined
      if (isDoneWith(context.state, purpose, { what: 'file system', keys: [fileSystemKey] })) return undefined
      return describe(context, { CreationToken: desired.shootUid })
    },
  }
  const given: EfsReads['given'] = {
    name: 'given file system',
    observe: async context => {
      if (givenId === undefined) return undefined
      const keys = Object.keys(context.state).filter(isTargetKey)
      if (isDoneWith(context.state, purpose, { what: 'mount target', keys })) return undefined
      return describe(context, { FileSystemId: givenId })
    },
  }
  return {
    made,
    given,
    mountTargets: {
      name: 'mount targets',
      observe: async context => {
        const { state, read } = context
        const known = await read(madeTargets)
        const systems = await Promise.all([read(made), read(given)])
        const lists = await Promise.all(
          systems.map(system => {
            // A file system says how many it has.
            if (system?.FileSystemId === undefined || system.NumberOfMountTargets === 0) return []
            if (system.FileSystemId === state[fileSystemKey] && known.length > 0) return known
            return targetsOf(context, system.FileSystemId)
          }),
        )
        return lists.flat()
      },
    },
  }
}
