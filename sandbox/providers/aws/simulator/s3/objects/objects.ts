import { createHash } from 'node:crypto'
import type {
  DeleteObjectOutput,
  DeleteObjectRequest,
  GetObjectOutput,
  GetObjectRequest,
  HeadObjectOutput,
  HeadObjectRequest,
  PutObjectOutput,
  PutObjectRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { accessDenied, findBucket, type S3Call, versionId, wholeSeconds } from '../buckets/find-bucket.ts'
import type { Bucket, ObjectVersion } from '../state.ts'
import { checksumToStore, claimedChecksum, showChecksum } from './bodies/checksums.ts'
import { isLocked, showLock } from './locks/lock.ts'
import { describeObject } from './new-object.ts'
import { findVersion, showVersionId } from './versions/find-version.ts'
import { findObject } from './versions/keys.ts'
import { addVersion, hideObject, removeVersion } from './versions/versions.ts'

/** Objects with a retention require a digest ("PutObject", API reference). */
const checkDigest = (call: S3Call, locked: boolean): void => {
  const { headers } = call.request
  const trailer = headers['x-amz-trailer']?.startsWith('x-amz-checksum-') ?? false
  if (locked && headers['content-md5'] === undefined && !claimedChecksum(headers) && !trailer) {
    throw refuse(
      'InvalidRequest',
      'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters',
      { status: 400 },
    )
  }
}

type Uploaded = Omit<PutObjectRequest, 'Body'> & { readonly Body?: Uint8Array }

/** Returns the checksum in the input's members, which include the trailing headers. */
export const claimedIn = (input: object): { algorithm: string; value: string } | undefined =>
  Object.entries(input).flatMap(([name, value]) => {
    const algorithm = /^Checksum(?!Algorithm|Type)(\w+)$/.exec(name)?.[1]
    return algorithm !== undefined && typeof value === 'string' ? [{ algorithm, value }] : []
  })[0]

export const showEncryption = ({ headers }: Pick<ObjectVersion, 'headers'>) => ({
  ServerSideEncryption: headers.ServerSideEncryption,
  ...(headers.SSEKMSKeyId === undefined ? {} : { SSEKMSKeyId: headers.SSEKMSKeyId }),
})

export const putObject = async (input: Uploaded, call: S3Call): Promise<PutObjectOutput> => {
  const body = input.Body ?? new Uint8Array()
  const checksum = await checksumToStore(claimedIn(input), body)
  const bucket = findBucket(input, call)
  const now = call.clock.now()
  const key = input.Key ?? ''
  const described = describeObject(input, bucket, now)
  checkDigest(call, described.retention !== undefined || described.legalHold)
  const version = addVersion(
    bucket,
    key,
    {
      ...described,
      checksum,
      modified: now,
      etag: `"${createHash('md5').update(body).digest('hex')}"`,
      size: body.length,
      body: Buffer.from(body).toString('base64'),
    },
    versionId(call),
  )
  return {
    ETag: version.etag,
    ...showChecksum(checksum),
    ...showEncryption(version),
    ...showVersionId(bucket, version),
  }
}

const show = (
  input: GetObjectRequest | HeadObjectRequest,
  bucket: Bucket,
  version: ObjectVersion,
): Omit<GetObjectOutput, 'Body'> => ({
  ...version.headers,
  AcceptRanges: 'bytes',
  ContentLength: version.size,
  ETag: version.etag,
  LastModified: wholeSeconds(version.modified),
  ...(Object.keys(version.metadata).length > 0 ? { Metadata: { ...version.metadata } } : {}),
  ...(version.storageClass === 'STANDARD'
    ? {}
    : { StorageClass: version.storageClass as NonNullable<GetObjectOutput['StorageClass']> }),
  ...(version.tags.length > 0 ? { TagCount: version.tags.length } : {}),
  ...(input.ChecksumMode === 'ENABLED' ? showChecksum(version.checksum) : {}),
  ...showLock(version),
  ...showVersionId(bucket, version),
})

export const getObject = (input: GetObjectRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const version = findVersion(bucket, input)
  return { ...show(input, bucket, version), Body: Buffer.from(version.body, 'base64') }
}

export const headObject = (input: HeadObjectRequest, call: S3Call): HeadObjectOutput => {
  const bucket = findBucket(input, call)
  const version = findVersion(bucket, input)
  return show(input, bucket, version)
}

/**
 * Deletes a key or one of its versions. Succeeds also if it does not exist.
 *
 * @throws AwsError AccessDenied for a locked version
 */
export const deleteOne = (
  bucket: Bucket,
  { Key = '', VersionId }: { readonly Key?: string | undefined; readonly VersionId?: string | undefined },
  bypass: boolean,
  call: S3Call,
): { readonly DeleteMarker?: true; readonly VersionId?: string } => {
  const now = call.clock.now()
  if (VersionId === undefined) {
    const marker = hideObject(bucket, Key, now, versionId(call))
    return marker ? { DeleteMarker: true, VersionId: marker.id } : {}
  }
  const version = findObject(bucket, Key)?.versions.find(({ id }) => id === VersionId)
  if (version && isLocked(version, now, bypass)) {
    throw accessDenied('Access Denied because object protected by object lock.')
  }
  removeVersion(bucket, Key, VersionId)
  return { VersionId, ...(version?.deleteMarker ? { DeleteMarker: true as const } : {}) }
}

export const deleteObject = (input: DeleteObjectRequest, call: S3Call): DeleteObjectOutput => {
  const bucket = findBucket(input, call)
  return deleteOne(bucket, input, input.BypassGovernanceRetention ?? false, call)
}
