import type { PutObjectRequest } from '@aws-sdk/client-s3'
import type { Timestamp } from '../../../../../../shared/clock/clock.ts'
import { refuse } from '../../service.ts'
import { tagsOfHeader } from '../buckets/tags.ts'
import type { Bucket, ObjectHeaders, ObjectVersion, Retention } from '../state.ts'
import { defaultRetention } from './locks/lock.ts'

type NewObject = Omit<PutObjectRequest, 'Body'>

const present = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Value

/** Only lock-enabled buckets accept retentions, and the end must be in the future. */
const retentionOf = (input: NewObject, bucket: Bucket, now: Timestamp): Retention | undefined => {
  const { ObjectLockMode: mode, ObjectLockRetainUntilDate: until } = input
  if (!mode && !until && input.ObjectLockLegalHoldStatus === undefined) return defaultRetention(bucket, now)
  if (!bucket.lockEnabled) {
    throw refuse('InvalidRequest', 'Bucket is missing Object Lock Configuration', { status: 400 })
  }
  if (!mode || !until) return defaultRetention(bucket, now)
  return { mode, until: until.getTime() }
}

const encryptionOf = (input: NewObject, { encryption }: Bucket): ObjectHeaders => {
  const rule = encryption[0]?.ApplyServerSideEncryptionByDefault
  const algorithm = input.ServerSideEncryption ?? rule?.SSEAlgorithm ?? 'AES256'
  return {
    ServerSideEncryption: algorithm as ObjectHeaders['ServerSideEncryption'],
    SSEKMSKeyId: algorithm === 'AES256' ? undefined : (input.SSEKMSKeyId ?? rule?.KMSMasterKeyID),
  }
}

/** Validates and returns the metadata of a new object. */
export const describeObject = (
  input: NewObject,
  bucket: Bucket,
  now: Timestamp,
): Pick<ObjectVersion, 'headers' | 'metadata' | 'storageClass' | 'tags' | 'retention' | 'legalHold'> => {
  const { StorageClass = 'STANDARD' } = input
  const metadata = input.Metadata ?? {}
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
] as const satisfies readonly (keyof PutObjectRequest)[]
