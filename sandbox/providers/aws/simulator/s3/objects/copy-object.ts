import { createHash } from 'node:crypto'
import type {
  CopyObjectOutput,
  CopyObjectRequest,
  UploadPartCopyOutput,
  UploadPartCopyRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { findBucket, type S3Call, versionId, wholeSeconds } from '../buckets/find-bucket.ts'
import type { Bucket, Checksum, ObjectVersion } from '../state.ts'
import { checkRange } from './bodies/byte-range.ts'
import { checksumOf, checksumToStore, showChecksum } from './bodies/checksums.ts'
import { checkRead, checkWrite } from './bodies/conditions.ts'
import { addPart } from './multipart.ts'
import { describeObject } from './new-object.ts'
import { currentOf, showEncryption } from './objects.ts'
import { findVersion, showVersionId } from './versions/find-version.ts'
import { addVersion } from './versions/versions.ts'

interface Source {
  readonly bucket: Bucket
  readonly key: string
  readonly version: ObjectVersion
}

const invalidSource = (text: string) =>
  refuse('InvalidArgument', 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey', {
    status: 400,
    members: { ArgumentName: 'x-amz-copy-source', ArgumentValue: text },
  })

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidSource(text)
  }
}

type CopyConditions = Pick<
  CopyObjectRequest,
  | 'CopySource'
  | 'CopySourceIfMatch'
  | 'CopySourceIfNoneMatch'
  | 'CopySourceIfModifiedSince'
  | 'CopySourceIfUnmodifiedSince'
>

/** An unmet condition always fails the copy with 412 ("CopyObject", API reference). */
const checkConditions = (input: CopyConditions, version: ObjectVersion): void => {
  const asked = {
    IfMatch: input.CopySourceIfMatch,
    IfNoneMatch: input.CopySourceIfNoneMatch,
    IfModifiedSince: input.CopySourceIfModifiedSince,
    IfUnmodifiedSince: input.CopySourceIfUnmodifiedSince,
  }
  try {
    checkRead(asked, version)
  } catch {
    throw refuse('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
      status: 412,
    })
  }
}

/** Returns the source that `bucket/key?versionId=…` names. The part before the question mark is URL-encoded. */
const sourceOf = (input: CopyConditions, call: S3Call): Source => {
  const text = input.CopySource ?? ''
  const [path = '', query = ''] = text.split(/\?(?=versionId=)/)
  const plain = decoded(path).replace(/^\//, '')
  const slash = plain.indexOf('/')
  if (slash < 1 || slash === plain.length - 1) throw invalidSource(text)
  const bucket = findBucket({ Bucket: plain.slice(0, slash) }, call)
  const key = plain.slice(slash + 1)
  const VersionId = query === '' ? undefined : query.slice('versionId='.length)
  const version = findVersion(bucket, { Key: key, VersionId })
  checkConditions(input, version)
  return { bucket, key, version }
}

const bodyOf = ({ body }: ObjectVersion): Buffer => Buffer.from(body, 'base64')

const md5 = (body: Uint8Array): string => `"${createHash('md5').update(body).digest('hex')}"`

/** A copy onto itself must change something. */
const checkChange = (input: CopyObjectRequest, source: Source, bucket: Bucket): void => {
  const { MetadataDirective, StorageClass, ServerSideEncryption, CopySource = '' } = input
  const same = source.bucket === bucket && source.key === input.Key && !CopySource.includes('?versionId=')
  if (!same || MetadataDirective === 'REPLACE' || ServerSideEncryption !== undefined) return
  if (StorageClass !== undefined && StorageClass !== source.version.storageClass) return
  throw refuse(
    'InvalidRequest',
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    { status: 400 },
  )
}

/** Returns the metadata of the copy: from the source or from the request. */
const describeCopy = (input: CopyObjectRequest, source: Source, bucket: Bucket, call: S3Call) => {
  const given = describeObject(input, bucket, call.clock.now())
  const { ServerSideEncryption, SSEKMSKeyId } = given.headers
  return {
    ...given,
    ...(input.MetadataDirective === 'REPLACE'
      ? {}
      : {
          headers: { ...source.version.headers, ServerSideEncryption, SSEKMSKeyId },
          metadata: source.version.metadata,
        }),
    tags: input.TaggingDirective === 'REPLACE' ? given.tags : source.version.tags,
  }
}

/** Uses the source's algorithm unless the request names another. A copy has no parts. */
const checksumOfCopy = async (
  wanted: string | undefined,
  { checksum }: ObjectVersion,
  body: Uint8Array,
): Promise<Checksum> => {
  const algorithm = wanted ?? checksum.algorithm
  if (checksum.type === 'FULL_OBJECT' && checksum.algorithm === algorithm) return checksum
  return { algorithm, value: await checksumOf(algorithm, body), type: 'FULL_OBJECT' }
}

export const copyObject = async (input: CopyObjectRequest, call: S3Call): Promise<CopyObjectOutput> => {
  const bucket = findBucket(input, call)
  const source = sourceOf(input, call)
  checkChange(input, source, bucket)
  checkWrite(input, currentOf(bucket, input.Key ?? ''))
  const described = describeCopy(input, source, bucket, call)
  const body = bodyOf(source.version)
  const checksum = await checksumOfCopy(input.ChecksumAlgorithm, source.version, body)
  const now = call.clock.now()
  const version = addVersion(
    bucket,
    input.Key ?? '',
    { ...described, checksum, modified: now, etag: md5(body), size: body.length, body: source.version.body },
    versionId(call),
  )
  return {
    ...showEncryption(version),
    ...showVersionId(bucket, version),
    ...(source.bucket.versioning === undefined ? {} : { CopySourceVersionId: source.version.id }),
    CopyObjectResult: { ETag: version.etag, LastModified: wholeSeconds(now), ...showChecksum(checksum) },
  }
}

/** Copies a range of another object as a part of a multipart upload. */
export const uploadPartCopy = async (
  input: UploadPartCopyRequest,
  call: S3Call,
): Promise<UploadPartCopyOutput> => {
  const source = sourceOf(input, call)
  const whole = bodyOf(source.version)
  const range = checkRange(input.CopySourceRange, whole.length)
  const body = range ? whole.subarray(range.first, range.last + 1) : whole
  const checksum = await checksumToStore(undefined, body)
  const { part, upload } = addPart(input, { body, checksum }, call)
  return {
    ...showEncryption(upload.object),
    ...(source.bucket.versioning === undefined ? {} : { CopySourceVersionId: source.version.id }),
    CopyPartResult: { ETag: part.etag, LastModified: wholeSeconds(part.modified) },
  }
}
