import type {
  DeleteMarkerEntry,
  ListObjectVersionsOutput,
  ListObjectVersionsRequest,
  ObjectVersion as VersionOutput,
} from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { findBucket, type S3Call } from '../buckets/find-bucket.ts'
import { compareKeys, findObject } from '../objects/versions/keys.ts'
import type { Bucket, Version } from '../state.ts'
import { ownerId } from './list-objects.ts'
import { pageOf, pageSize, shownText } from './page.ts'

interface ListedVersion {
  readonly key: string
  readonly version: string
  readonly stored: Version
  readonly latest: boolean
}

function* allVersions({ objects }: Bucket): Generator<ListedVersion> {
  for (const { key, versions } of objects) {
    for (const [index, stored] of versions.entries()) {
      yield { key, version: stored.id, stored, latest: index === 0 }
    }
  }
}

/** Returns a filter for entries after the markers: later keys, and older versions of the marker's key. */
const afterMarkers = (bucket: Bucket, { KeyMarker, VersionIdMarker }: ListObjectVersionsRequest) => {
  if (!KeyMarker) {
    if (VersionIdMarker === undefined) return () => true
    throw refuse('InvalidArgument', 'A version-id marker cannot be specified without a key marker.', {
      status: 400,
      members: { ArgumentName: 'version-id-marker', ArgumentValue: VersionIdMarker },
    })
  }
  const ids = VersionIdMarker ? (findObject(bucket, KeyMarker)?.versions ?? []).map(({ id }) => id) : []
  const older = new Set(ids.slice(ids.indexOf(VersionIdMarker ?? '') + 1))
  return (key: string, version: string | undefined) =>
    compareKeys(key, KeyMarker) > 0 || (key === KeyMarker && version !== undefined && older.has(version))
}

export const listObjectVersions = (
  input: ListObjectVersionsRequest,
  call: S3Call,
): ListObjectVersionsOutput => {
  const bucket = findBucket(input, call)
  const max = pageSize(input.MaxKeys)
  const text = shownText(input.EncodingType)
  const { items, commonPrefixes, last } = pageOf(allVersions(bucket), {
    prefix: input.Prefix ?? '',
    delimiter: input.Delimiter ?? '',
    max,
    isAfter: afterMarkers(bucket, input),
  })
  const owner = { Owner: { ID: ownerId(call) } }
  const showEntry = ({ key, version, stored, latest }: ListedVersion) => ({
    Key: text(key),
    VersionId: version,
    IsLatest: latest,
    LastModified: new Date(stored.modified),
    ...owner,
  })
  const Versions: VersionOutput[] = []
  const DeleteMarkers: DeleteMarkerEntry[] = []
  for (const entry of items) {
    const { stored } = entry
    if (stored.deleteMarker) DeleteMarkers.push(showEntry(entry))
    else {
      Versions.push({
        ...showEntry(entry),
        ETag: stored.etag,
        Size: stored.size,
        StorageClass: stored.storageClass as 'STANDARD',
        ChecksumAlgorithm: [stored.checksum.algorithm as 'CRC32'],
        ChecksumType: stored.checksum.type,
      })
    }
  }
  const next = last && ('item' in last ? last.item : { key: last.commonPrefix, version: undefined })
  return {
    Name: bucket.name,
    Prefix: text(input.Prefix ?? ''),
    KeyMarker: text(input.KeyMarker ?? ''),
    VersionIdMarker: input.VersionIdMarker ?? '',
    ...(input.Delimiter === undefined ? {} : { Delimiter: text(input.Delimiter) }),
    ...(input.EncodingType === undefined ? {} : { EncodingType: input.EncodingType }),
    MaxKeys: max,
    IsTruncated: next !== undefined,
    ...(next
      ? {
          NextKeyMarker: text(next.key),
          ...(next.version === undefined ? {} : { NextVersionIdMarker: next.version }),
        }
      : {}),
    Versions,
    DeleteMarkers,
    CommonPrefixes: commonPrefixes.map(Prefix => ({ Prefix: text(Prefix) })),
  }
}
