import { createHash } from 'node:crypto'
import type {
  AbortMultipartUploadRequest,
  CompletedPart,
  CompleteMultipartUploadOutput,
  CompleteMultipartUploadRequest,
  CreateMultipartUploadOutput,
  CreateMultipartUploadRequest,
  UploadPartOutput,
  UploadPartRequest,
} from '@aws-sdk/client-s3'
import { refuse } from '../../service.ts'
import { endpointOf } from '../access/address.ts'
import { type BucketInput, findBucket, type S3Call, versionId } from '../buckets/find-bucket.ts'
import { malformedXml } from '../refusals.ts'
import type { Bucket, Checksum, StoredPart, Upload } from '../state.ts'
import { checksumOf, checksumToStore, isWhole, showChecksum } from './bodies/checksums.ts'
import { checkWrite } from './bodies/conditions.ts'
import { describeObject } from './new-object.ts'
import { claimedIn, currentOf, showEncryption } from './objects.ts'
import { showVersionId } from './versions/find-version.ts'
import { addVersion } from './versions/versions.ts'

interface UploadInput {
  readonly Key?: string | undefined
  readonly UploadId?: string | undefined
}

/** @throws AwsError NoSuchUpload */
const findUpload = (bucket: Bucket, { Key, UploadId }: UploadInput): Upload => {
  const upload = bucket.uploads.find(({ id, key }) => id === UploadId && key === Key)
  if (upload) return upload
  throw refuse(
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    { status: 404, members: { UploadId: UploadId ?? '' } },
  )
}

export const createMultipartUpload = (
  input: CreateMultipartUploadRequest,
  call: S3Call,
): CreateMultipartUploadOutput => {
  const bucket = findBucket(input, call)
  const object = describeObject(input, bucket, call.clock.now())
  const algorithm = input.ChecksumAlgorithm
  const type = input.ChecksumType ?? (algorithm === 'CRC64NVME' || !algorithm ? 'FULL_OBJECT' : 'COMPOSITE')
  const upload: Upload = {
    object,
    id: call.newId(64),
    key: input.Key ?? '',
    initiated: call.clock.now(),
    checksumAlgorithm: algorithm,
    checksumType: type,
    parts: [],
  }
  bucket.uploads = [...bucket.uploads, upload]
  return {
    Bucket: bucket.name,
    Key: upload.key,
    UploadId: upload.id,
    ...(algorithm ? { ChecksumAlgorithm: algorithm, ChecksumType: type } : {}),
    ...showEncryption(object),
  }
}

type UploadedPart = Omit<UploadPartRequest, 'Body'> & { readonly Body?: Uint8Array }

/** Adds a part to its upload. Replaces a part with the same number. */
export const addPart = (
  input: UploadInput & BucketInput & { readonly PartNumber?: number | undefined },
  { body, checksum }: { readonly body: Uint8Array; readonly checksum: Checksum },
  call: S3Call,
): { readonly upload: Upload; readonly part: StoredPart } => {
  const upload = findUpload(findBucket(input, call), input)
  const number = input.PartNumber ?? 0
  if (!(number >= 1 && number <= 10_000)) {
    throw refuse('InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive', {
      status: 400,
      members: { ArgumentName: 'partNumber', ArgumentValue: String(number) },
    })
  }
  const part: StoredPart = {
    number,
    checksum,
    etag: `"${createHash('md5').update(body).digest('hex')}"`,
    size: body.length,
    modified: call.clock.now(),
    body: Buffer.from(body).toString('base64'),
  }
  upload.parts = [...upload.parts.filter(other => other.number !== number), part].toSorted(
    (a, b) => a.number - b.number,
  )
  return { upload, part }
}

export const uploadPart = async (input: UploadedPart, call: S3Call): Promise<UploadPartOutput> => {
  const body = input.Body ?? new Uint8Array()
  const checksum = await checksumToStore(claimedIn(input), body)
  const { upload, part } = addPart(input, { body, checksum }, call)
  const { ChecksumType: _, ...shown } = showChecksum(checksum)
  return { ETag: part.etag, ...shown, ...showEncryption(upload.object) }
}

const bare = (etag: string | undefined): string => (etag ?? '').replace(/^"|"$/g, '')
const smallest = 5 * 1024 * 1024

/** Returns the parts of the object in order. */
const chosenParts = (upload: Upload, wanted: readonly CompletedPart[]): StoredPart[] => {
  if (wanted.length === 0) throw malformedXml()
  const numbers = wanted.map(({ PartNumber = 0 }) => PartNumber)
  if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))) {
    throw refuse(
      'InvalidPartOrder',
      'The list of parts was not in ascending order. Parts must be ordered by part number.',
      { status: 400, members: { UploadId: upload.id } },
    )
  }
  const parts = wanted.map(({ PartNumber, ETag }) => {
    const part = upload.parts.find(({ number }) => number === PartNumber)
    if (part && bare(part.etag) === bare(ETag)) return part
    throw refuse(
      'InvalidPart',
      "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
      { status: 400, members: { UploadId: upload.id, PartNumber: String(PartNumber), ETag: bare(ETag) } },
    )
  })
  const small = parts.slice(0, -1).find(({ size }) => size < smallest)
  if (small) {
    throw refuse('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
      status: 400,
      members: {
        ProposedSize: String(small.size),
        MinSizeAllowed: String(smallest),
        PartNumber: String(small.number),
      },
    })
  }
  return parts
}

/**
 * Computes a checksum of the whole object if the algorithm allows it and the request does not ask for another, else one
 * of the parts' checksums.
 */
const wholeChecksum = async (
  upload: Upload,
  parts: readonly StoredPart[],
  body: Uint8Array,
): Promise<Checksum> => {
  const algorithm = upload.checksumAlgorithm ?? 'CRC64NVME'
  if (upload.checksumType === 'FULL_OBJECT' && isWhole(algorithm)) {
    return { algorithm, type: 'FULL_OBJECT', value: await checksumOf(algorithm, body) }
  }
  const values = await Promise.all(
    parts.map(async ({ checksum, body: part }) =>
      checksum.algorithm === algorithm ? checksum.value : checksumOf(algorithm, Buffer.from(part, 'base64')),
    ),
  )
  const value = await checksumOf(algorithm, Buffer.concat(values.map(text => Buffer.from(text, 'base64'))))
  return { algorithm, type: 'COMPOSITE', value: `${value}-${parts.length}` }
}

export const completeMultipartUpload = async (
  input: CompleteMultipartUploadRequest,
  call: S3Call,
): Promise<CompleteMultipartUploadOutput> => {
  const upload = findUpload(findBucket(input, call), input)
  const parts = chosenParts(upload, input.MultipartUpload?.Parts ?? [])
  const body = Buffer.concat(parts.map(part => Buffer.from(part.body, 'base64')))
  const checksum = await wholeChecksum(upload, parts, body)
  const claimed = claimedIn(input)
  if (claimed && claimed.algorithm === checksum.algorithm && claimed.value !== checksum.value) {
    throw refuse(
      'BadDigest',
      `The ${claimed.algorithm} you specified did not match the calculated checksum.`,
      {
        status: 400,
      },
    )
  }
  // The state may have changed while the checksum was computed, so it is read and checked again.
  const bucket = findBucket(input, call)
  findUpload(bucket, input)
  checkWrite(input, currentOf(bucket, upload.key))
  bucket.uploads = bucket.uploads.filter(({ id }) => id !== upload.id)
  const digests = parts.map(({ etag }) => Buffer.from(bare(etag), 'hex'))
  const version = addVersion(
    bucket,
    upload.key,
    {
      ...upload.object,
      checksum,
      modified: call.clock.now(),
      etag: `"${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${parts.length}"`,
      size: body.length,
      body: body.toString('base64'),
    },
    versionId(call),
  )
  return {
    Location: `https://${endpointOf(bucket.name, bucket.region)}/${encodeURIComponent(upload.key)}`,
    Bucket: bucket.name,
    Key: upload.key,
    ETag: version.etag,
    ...showChecksum(checksum),
    ...showEncryption(version),
    ...showVersionId(bucket, version),
  }
}

export const abortMultipartUpload = (input: AbortMultipartUploadRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const upload = findUpload(bucket, input)
  bucket.uploads = bucket.uploads.filter(other => other !== upload)
  return {}
}
