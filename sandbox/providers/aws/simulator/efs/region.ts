import type { LifeCycleState } from '@aws-sdk/client-efs'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { Call } from '../service.ts'
import { refuseEfs } from './refusals.ts'
import type { EfsDurations } from './settings.ts'
import type { EfsState, FileSystem, MountTarget } from './state.ts'

export type EfsCall = Call<EfsState>

interface Lived {
  readonly createdAt: Timestamp
  readonly deletedAt: Timestamp | undefined
}

const stateOf = ({ createdAt, deletedAt }: Lived, available: number, now: Timestamp): LifeCycleState => {
  if (deletedAt !== undefined) return 'deleting'
  return now < createdAt + available ? 'creating' : 'available'
}

export const fileSystemState = (
  fileSystem: FileSystem,
  durations: EfsDurations,
  now: Timestamp,
): LifeCycleState => stateOf(fileSystem, durations.fileSystemAvailable, now)

export const mountTargetState = (
  target: MountTarget,
  durations: EfsDurations,
  now: Timestamp,
): LifeCycleState => stateOf(target, durations.mountTargetAvailable, now)

/** Removes resources with a completed deletion. */
export const sweep = ({ state, clock }: EfsCall, durations: EfsDurations): void => {
  const now = clock.now()
  const isThere = ({ deletedAt }: Lived, duration: number): boolean =>
    deletedAt === undefined || now < deletedAt + duration
  state.fileSystems = state.fileSystems.filter(each => isThere(each, durations.fileSystemDeleted))
  state.mountTargets = state.mountTargets.filter(each => isThere(each, durations.mountTargetDeleted))
}

/** Requests use ids or ARNs. */
const bareId = (id: string | undefined): string => (id ?? '').replace(/^arn:.*\//, '')

/** @throws AwsError FileSystemNotFound */
export const findFileSystem = (call: EfsCall, id: string | undefined): FileSystem => {
  const found = call.state.fileSystems.find(fileSystem => fileSystem.id === bareId(id))
  if (!found || call.isHidden?.('fileSystems', found.id))
    throw refuseEfs('FileSystemNotFound', `File system '${bareId(id)}' does not exist.`)
  return found
}

/** @throws AwsError MountTargetNotFound */
export const findMountTarget = (call: EfsCall, id: string | undefined): MountTarget => {
  const found = call.state.mountTargets.find(target => target.id === id)
  if (!found || call.isHidden?.('mountTargets', found.id))
    throw refuseEfs('MountTargetNotFound', `Mount target '${id}' does not exist.`)
  return found
}

export const targetsOf = ({ state }: EfsCall, { id }: FileSystem): readonly MountTarget[] =>
  state.mountTargets.filter(({ fileSystemId }) => fileSystemId === id)

export interface EfsPageRequest {
  readonly Marker?: string | undefined
  readonly MaxItems?: number | undefined
}

/** A page has at most 100 items. A marker is the id of the first item of its page. */
export const pageOf = <Item extends { readonly id: string }>(
  items: readonly Item[],
  { Marker, MaxItems = 100 }: EfsPageRequest,
) => {
  if (!(MaxItems >= 1)) throw refuseEfs('BadRequest', 'MaxItems must be at least 1')
  const start =
    Marker === undefined ? 0 : items.findIndex(({ id }) => Buffer.from(id).toString('base64url') === Marker)
  const size = Math.min(MaxItems, 100)
  const next = items[start + size]
  return {
    page: items.slice(start, start + size),
    markers: {
      ...(Marker === undefined ? {} : { Marker }),
      ...(next ? { NextMarker: Buffer.from(next.id).toString('base64url') } : {}),
    },
  }
}
