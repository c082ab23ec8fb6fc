import type { Timestamp } from '../../../../../../../shared/clock/clock.ts'
import type { Bucket, DeleteMarker, ObjectVersion, Version } from '../../state.ts'
import { ensureObject, findObject, removeObject } from './keys.ts'

/** Adds the newest version. Without versioning it replaces the version `null`. */
const add = (bucket: Bucket, key: string, version: Version): void => {
  const object = ensureObject(bucket, key)
  const kept = version.id === 'null' ? object.versions.filter(({ id }) => id !== 'null') : object.versions
  object.versions = [version, ...kept]
}

/** Stores a new version of a key. Its id depends on the bucket's versioning. */
export const addVersion = (
  bucket: Bucket,
  key: string,
  version: Omit<ObjectVersion, 'id' | 'deleteMarker'>,
  newId: () => string,
): ObjectVersion => {
  const stored: ObjectVersion = {
    ...version,
    deleteMarker: false,
    id: bucket.versioning === 'Enabled' ? newId() : 'null',
  }
  add(bucket, key, stored)
  return stored
}

/** Permanently removes one version. */
export const removeVersion = (bucket: Bucket, key: string, id: string): Version | undefined => {
  const object = findObject(bucket, key)
  const version = object?.versions.find(candidate => candidate.id === id)
  if (!object || !version) return undefined
  object.versions = object.versions.filter(candidate => candidate !== version)
  if (object.versions.length === 0) removeObject(bucket, key)
  return version
}

/**
 * Deletes a key as a request without a version does: permanently without versioning, else by a delete marker, which is
 * returned ("Deleting object versions", S3 user guide).
 */
export const hideObject = (
  bucket: Bucket,
  key: string,
  now: Timestamp,
  newId: () => string,
): DeleteMarker | undefined => {
  if (bucket.versioning === undefined) {
    removeObject(bucket, key)
    return undefined
  }
  const id = bucket.versioning === 'Enabled' ? newId() : 'null'
  const marker: DeleteMarker = { id, modified: now, deleteMarker: true }
  add(bucket, key, marker)
  return marker
}

/** Replaces a version after a change of its tags or retention. */
export const replaceVersion = (bucket: Bucket, key: string, version: ObjectVersion): void => {
  const object = findObject(bucket, key)
  if (object) {
    object.versions = object.versions.map(candidate => (candidate.id === version.id ? version : candidate))
  }
}
