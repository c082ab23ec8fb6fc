import { refuse } from '../../../service.ts'
import type { Bucket, ObjectVersion } from '../../state.ts'
import { findObject } from './keys.ts'

export interface VersionInput {
  readonly Key?: string | undefined
  readonly VersionId?: string | undefined
}

const noSuchKey = (key: string) =>
  refuse('NoSuchKey', 'The specified key does not exist.', { status: 404, members: { Key: key } })

/** Returns the version id for responses about a version. */
export const showVersionId = (bucket: Bucket, version: { readonly id: string }) =>
  bucket.versioning === undefined ? {} : { VersionId: version.id }

/**
 * Returns the version of a request: the newest, or the one that it names.
 *
 * @throws AwsError NoSuchKey, NoSuchVersion or MethodNotAllowed
 */
export const findVersion = (bucket: Bucket, { Key = '', VersionId }: VersionInput): ObjectVersion => {
  const versions = findObject(bucket, Key)?.versions ?? []
  const version = VersionId === undefined ? versions[0] : versions.find(({ id }) => id === VersionId)
  if (!version && VersionId !== undefined) {
    throw refuse('NoSuchVersion', 'The specified version does not exist.', {
      status: 404,
      members: { Key, VersionId },
    })
  }
  if (!version) throw noSuchKey(Key)
  if (!version.deleteMarker) return version
  const headers = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': version.id }
  if (VersionId === undefined) {
    throw refuse('NoSuchKey', 'The specified key does not exist.', { status: 404, members: { Key }, headers })
  }
  throw refuse('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
    status: 405,
    members: { Method: 'GET', ResourceType: 'DeleteMarker' },
    headers: { ...headers, allow: 'DELETE', 'last-modified': new Date(version.modified).toUTCString() },
  })
}
