import {
  DescribeFileSystemsCommand,
  type DescribeFileSystemsCommandInput,
  DescribeMountTargetsCommand,
  type DescribeMountTargetsCommandInput,
  type FileSystemDescription,
  type MountTargetDescription,
} from '@aws-sdk/client-efs'
import { notedWaits, type Observation, type State } from '../../../engine/engine.ts'
import { allPages } from '../../account/client/all-pages.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { idsInState } from '../state.ts'
import { isCluster, isDoneWith, type Purpose } from '../tags.ts'
import { ifFound } from '../with-error-codes.ts'

export const fileSystemKey = 'efsSystemID'
const targetPrefix = 'efsMountTargets/'

export const isTargetKey = (stateKey: string): boolean => stateKey.startsWith(targetPrefix)

/**
 * The key of a mount target: `efsMountTargets/fs-1_subnet-1_sg-1`. The key of a mount target that is only looked up has
 * no group.
 */
export const targetKey = (fileSystem: string, subnet: string, group?: string): string =>
  `${targetPrefix}${[fileSystem, subnet, ...(group === undefined ? [] : [group])].join('_')}`

const targetsInState = (state: State, fileSystem: string): ReadonlySet<string> =>
  idsInState(state, key => key.startsWith(`${targetPrefix}${fileSystem}_`))

/** Returns true for the state key of a mount target of this file system. */
export const isTargetOf = (stateKey: string, fileSystem: string): boolean =>
  stateKey.startsWith(`${targetPrefix}${fileSystem}_`)

/** Returns the group that a mount target was created with, according to the state. */
export const groupInState = (state: State, id: string): string | undefined =>
  Object.keys(state)
    .find(key => isTargetKey(key) && state[key] === id)
    ?.split('_')[2]

/** Returns the file system that was used, according to the state: created by us, or given by the user. */
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
  /** The file system that was created for the shoot, even if it is no longer desired. */
  readonly made: Observation<AwsCloud, KnownFileSystem | undefined>
  /** The file system of the user. */
  readonly given: Observation<AwsCloud, KnownFileSystem | undefined>
  /** The mount targets of both file systems. */
  readonly mountTargets: Observation<AwsCloud, readonly MountTargetDescription[]>
}

interface EfsReadContext {
  readonly cloud: AwsCloud
  readonly state: State
  readonly signal: AbortSignal
}

/** Returns the reads of one graph. There are none if EFS is neither used now nor was before. */
export const efsReads = (desired: DesiredInfrastructure, purpose: Purpose): EfsReads => {
  const givenId = desired.fileSystem?.id
  const describe = async (
    { cloud, signal }: Pick<EfsReadContext, 'cloud' | 'signal'>,
    input: DescribeFileSystemsCommandInput,
  ) => {
    const command = new DescribeFileSystemsCommand(input)
    const answer = await ifFound(cloud.efs.send(command, { abortSignal: signal }))
    return answer?.FileSystems?.find(({ FileSystemId, CreationToken }) =>
      [FileSystemId, CreationToken].includes(input.FileSystemId ?? input.CreationToken),
    )
  }
  type TargetsInput = Pick<DescribeMountTargetsCommandInput, 'FileSystemId' | 'MountTargetId'>
  const listTargets = ({ cloud, signal }: EfsReadContext, input: TargetsInput) =>
    allPages(
      ({ MountTargetId }: MountTargetDescription) => MountTargetId,
      async Marker => {
        const command = new DescribeMountTargetsCommand({ ...input, ...(Marker && { Marker }) })
        const answer = await ifFound(cloud.efs.send(command, { abortSignal: signal }))
        return { items: answer?.MountTargets, next: answer?.NextMarker }
      },
    )
  /** A list may omit a mount target that changed while its pages were read, so those in the state are read by id. */
  const targetsOf = async (context: EfsReadContext, FileSystemId: string) => {
    const targets = await listTargets(context, { FileSystemId })
    const known = new Set(targets.map(({ MountTargetId }) => MountTargetId))
    const missing = [...targetsInState(context.state, FileSystemId)].filter(id => !known.has(id))
    const others = await Promise.all(missing.map(MountTargetId => listTargets(context, { MountTargetId })))
    return [...targets, ...others.flat()]
  }
  /**
   * The mount targets of the file system in the state, if the state has any. Skipped during deletion: the file system
   * must then be read anyway and reports its number of mount targets.
   */
  const madeTargets: EfsReads['mountTargets'] = {
    name: 'mount targets in the state',
    observe: async context => {
      const { [fileSystemKey]: id, ...others } = context.state
      const complete =
        Object.keys(others).some(isTargetKey) && notedWaits(others).every(({ how }) => how === 'pending')
      return id !== undefined && complete ? targetsOf(context, id) : []
    },
  }
  // Deleting a file system deletes its data, so an id in the state is not enough proof.
  const isOurs = ({ CreationToken, Tags }: KnownFileSystem): boolean =>
    CreationToken === desired.shootUid || isCluster(desired, Tags)
  const made: EfsReads['made'] = {
    name: 'file system',
    observe: async context => {
      const { [fileSystemKey]: id } = context.state
      // If the user now gives this id, the file system belongs to the user.
      if (id !== undefined && id === givenId) return undefined
      // Before a delete, the owner is always checked. EFS refuses to delete a file system that has mount targets. Ours
      // cannot enter an error state: only One Zone file systems do (EFS user guide, "Understanding file system
      // status").
      const targets = purpose.destroying ? [] : await context.read(madeTargets)
      if (targets.some(({ LifeCycleState }) => LifeCycleState === 'available'))
        return { FileSystemId: id, LifeCycleState: 'available', NumberOfMountTargets: targets.length }
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
            // A file system reports its number of mount targets.
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
