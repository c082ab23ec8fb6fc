import type { CreateMultipartUploadRequest, PutObjectRequest } from '@aws-sdk/client-s3'
import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import { refuse } from '../../service.ts'
import { tagsOfHeader } from '../buckets/tags.ts'
import type { Bucket, ObjectHeaders, ObjectVersion, Retention } from '../state.ts'
import { defaultRetention } from './locks/lock.ts'

type NewObject = Omit<PutObjectRequest, 'Body'> | CreateMultipartUploadRequest

const storageClasses = [
  'STANDARD',
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER',
  'DEEP_ARCHIVE',
  'GLACIER_IR',
]

const present = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Value

/** Only lock-enabled buckets accept retentions, and the end must be in the future. */
const retentionOf = (input: NewObject, bucket: Bucket, now: Timestamp): Retention | undefined => {
  const { ObjectLockMode: mode, ObjectLockRetainUntilDate: until } = input
  if (!mode && !until && input.ObjectLockLegalHoldStatus === undefined) return defaultRetention(bucket, now)
  if (!bucket.lockEnabled) {
    throw refuse('InvalidRequest', 'Bucket is missing Object Lock Configuration', { status: 400 })
  }
  if (!mode !== !until) {
    throw refuse(
      'InvalidArgument',
      'x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied',
      { status: 400 },
    )
  }
  if (!mode || !until) return defaultRetention(bucket, now)
  if (until.getTime() <= now) {
    throw refuse('InvalidArgument', 'The retain until date must be in the future!', { status: 400 })
  }
  return { mode, until: until.getTime() }
}

/** ACLs are off in every bucket ("Controlling ownership of objects", S3 user guide). */
const checkAcl = (acl: string | undefined): void => {
  if (acl !== undefined && acl !== 'bucket-owner-full-control') {
    throw refuse('AccessControlListNotSupported', 'The bucket does not allow ACLs', { status: 400 })
  }
}

const encryptionOf = (input: NewObject, { encryption }: Bucket): ObjectHeaders => {
  const rule = encryption[0]?.ApplyServerSideEncryptionByDefault
  const algorithm = input.ServerSideEncryption ?? rule?.SSEAlgorithm ?? 'AES256'
  if (algorithm !== 'AES256' && algorithm !== 'aws:kms' && algorithm !== 'aws:kms:dsse') {
    throw refuse(
      'InvalidEncryptionAlgorithmError',
      'The encryption request you specified is not valid. Supported value: AES256.',
      { status: 400 },
    )
  }
  return {
    ServerSideEncryption: algorithm,
    SSEKMSKeyId: algorithm === 'AES256' ? undefined : (input.SSEKMSKeyId ?? rule?.KMSMasterKeyID),
  }
}

/** Validates and returns the metadata of a new object. */
export const describeObject = (
  input: NewObject,
  bucket: Bucket,
  now: Timestamp,
): Pick<ObjectVersion, 'headers' | 'metadata' | 'storageClass' | 'tags' | 'retention' | 'legalHold'> => {
  const { Key = '', StorageClass = 'STANDARD' } = input
  if (Buffer.byteLength(Key) > 1024) {
    throw refuse('KeyTooLongError', 'Your key is too long', {
      status: 400,
      members: { Size: String(Buffer.byteLength(Key)), MaxSizeAllowed: '1024' },
    })
  }
  checkAcl(input.ACL)
  if (!storageClasses.includes(StorageClass)) {
    throw refuse('InvalidStorageClass', 'The storage class you specified is not valid', { status: 400 })
  }
  const metadata = input.Metadata ?? {}
  const size = Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (size > 2048) {
    throw refuse('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size', {
      status: 400,
      members: { Size: String(size), MaxSizeAllowed: '2048' },
    })
  }
  return {
    headers: present({
      ContentType: input.ContentType ?? 'binary/octet-stream',
      CacheControl: input.CacheControl,
      ContentDisposition: input.ContentDisposition,
      ContentEncoding: input.ContentEncoding,
      ContentLanguage: input.ContentLanguage,
      ...encryptionOf(input, bucket),
    }),
    metadata,
    storageClass: StorageClass,
    tags: tagsOfHeader(input.Tagging),
    retention: retentionOf(input, bucket, now),
    legalHold: input.ObjectLockLegalHoldStatus === 'ON',
  }
}

/** The members of `NewObject` that `describeObject` reads. */
export const describedMembers = [
  'Bucket',
  'Key',
  'ACL',
  'CacheControl',
  'ContentDisposition',
  'ContentEncoding',
  'ContentLanguage',
  'ContentType',
  'Metadata',
  'ServerSideEncryption',
  'SSEKMSKeyId',
  'StorageClass',
  'Tagging',
  'ObjectLockMode',
  'ObjectLockRetainUntilDate',
  'ObjectLockLegalHoldStatus',
  'RequestPayer',
  'ExpectedBucketOwner',
  'ChecksumAlgorithm',
] as const satisfies readonly (keyof CreateMultipartUploadRequest & keyof PutObjectRequest)[]
