import { serviceModel } from '../codec/model.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { takes } from '../serve/takes.ts'
import type { Service } from '../service.ts'
import { locate } from './access/address.ts'
import { deleteBucketPolicy, getBucketPolicy, putBucketPolicy } from './access/bucket-policy.ts'
import { bucketPolicyWord } from './access/bucket-policy-word.ts'
import { s3ActionsOf } from './access/s3-actions.ts'
import {
  deletePublicAccessBlock,
  getBucketEncryption,
  getBucketVersioning,
  getPublicAccessBlock,
  putBucketEncryption,
  putBucketVersioning,
  putPublicAccessBlock,
} from './buckets/bucket-settings.ts'
import { createBucket, deleteBucket, getBucketLocation, headBucket, listBuckets } from './buckets/buckets.ts'
import {
  deleteBucketLifecycle,
  getBucketLifecycleConfiguration,
  putBucketLifecycleConfiguration,
} from './buckets/lifecycle.ts'
import { rulesOf, type S3Settings } from './buckets/settings.ts'
import { listObjectsV2 } from './lists/list-objects.ts'
import { listObjectVersions } from './lists/list-versions.ts'
import { unwrap } from './objects/bodies/unwrap.ts'
import { deleteObjects } from './objects/delete-objects.ts'
import {
  getObjectLegalHold,
  getObjectLockConfiguration,
  getObjectRetention,
  putObjectLegalHold,
  putObjectLockConfiguration,
} from './objects/locks/object-lock.ts'
import { describedMembers } from './objects/new-object.ts'
import { getObjectTagging, putObjectTagging } from './objects/object-tagging.ts'
import { deleteObject, getObject, headObject, putObject } from './objects/objects.ts'
import { s3Refusals } from './refusals.ts'
import { emptyState, type S3State } from './state.ts'

export const s3Model = serviceModel({
  name: 's3',
  protocol: 'restXml',
  version: '2006-03-01',
  xmlNamespace: 'http://s3.amazonaws.com/doc/2006-03-01/',
  bareErrors: true,
  locate,
  schemas: storedSchemas('s3'),
})

/** The members that requests about a bucket share. `unwrap` has checked the digests. */
const bucket = ['Bucket', 'ExpectedBucketOwner'] as const
const digested = [...bucket, 'ContentMD5', 'ChecksumAlgorithm'] as const
const version = [...bucket, 'Key', 'VersionId', 'RequestPayer'] as const
const checksums = [
  'ContentMD5',
  'ChecksumCRC32',
  'ChecksumCRC32C',
  'ChecksumCRC64NVME',
  'ChecksumSHA1',
  'ChecksumSHA256',
] as const
const reading = [...version, 'ChecksumMode'] as const
const listing = [
  ...bucket,
  'Prefix',
  'Delimiter',
  'MaxKeys',
  'EncodingType',
  'RequestPayer',
  'OptionalObjectAttributes',
] as const

/** S3: buckets, their settings, objects with versions and locks. */
export const createS3 = (settings: S3Settings = {}): Service<S3State> => {
  const rules = rulesOf(settings)
  return {
    model: s3Model,
    scope: 'global',
    signingName: 's3',
    largestBody: 64 * 1024 * 1024,
    createState: emptyState,
    // Objects are strongly consistent ("Amazon S3 data consistency model", S3 user guide).
    lateRows: { buckets: { id: 'name', current: { objects: [], sweptDay: undefined } } },
    readsOf: ({ buckets }) =>
      buckets.flatMap(({ name, region }) =>
        ['GetBucketLifecycleConfiguration', 'GetObjectLockConfiguration', 'ListObjectVersions'].map(
          operation => [operation, { Bucket: name }, region] as const,
        ),
      ),
    refusals: s3Refusals,
    actionsOf: s3ActionsOf,
    resourceOf: (_, { Bucket, Key }) =>
      typeof Bucket !== 'string'
        ? undefined
        : `"arn:aws:s3:::${Bucket}${typeof Key === 'string' ? `/${Key}` : ''}"`,
    resourcePolicy: bucketPolicyWord(rules.transport),
    unwrap,
    handlers: {
      ListBuckets: takes(listBuckets, 'MaxBuckets', 'ContinuationToken', 'Prefix', 'BucketRegion'),
      CreateBucket: takes(
        createBucket(rules),
        'Bucket',
        'ACL',
        'CreateBucketConfiguration',
        'ObjectLockEnabledForBucket',
      ),
      HeadBucket: takes(headBucket, ...bucket),
      DeleteBucket: takes(deleteBucket, ...bucket),
      GetBucketLocation: takes(getBucketLocation, ...bucket),
      GetBucketVersioning: takes(getBucketVersioning, ...bucket),
      PutBucketVersioning: takes(putBucketVersioning, ...digested, 'VersioningConfiguration'),
      GetBucketEncryption: takes(getBucketEncryption, ...bucket),
      PutBucketEncryption: takes(putBucketEncryption, ...digested, 'ServerSideEncryptionConfiguration'),
      GetPublicAccessBlock: takes(getPublicAccessBlock, ...bucket),
      PutPublicAccessBlock: takes(putPublicAccessBlock, ...digested, 'PublicAccessBlockConfiguration'),
      DeletePublicAccessBlock: takes(deletePublicAccessBlock, ...bucket),
      GetBucketPolicy: takes(getBucketPolicy, ...bucket),
      PutBucketPolicy: takes(putBucketPolicy, ...digested, 'Policy', 'ConfirmRemoveSelfBucketAccess'),
      DeleteBucketPolicy: takes(deleteBucketPolicy, ...bucket),
      GetBucketLifecycleConfiguration: takes(getBucketLifecycleConfiguration, ...bucket),
      PutBucketLifecycleConfiguration: takes(
        putBucketLifecycleConfiguration,
        'Bucket',
        'ExpectedBucketOwner',
        'ChecksumAlgorithm',
        'LifecycleConfiguration',
        'TransitionDefaultMinimumObjectSize',
      ),
      DeleteBucketLifecycle: takes(deleteBucketLifecycle, ...bucket),
      GetObjectLockConfiguration: takes(getObjectLockConfiguration, ...bucket),
      PutObjectLockConfiguration: takes(
        putObjectLockConfiguration,
        ...digested,
        'ObjectLockConfiguration',
        'RequestPayer',
      ),
      PutObject: takes(putObject, ...describedMembers, ...checksums, 'Body', 'ContentLength'),
      GetObject: takes(getObject, ...reading),
      HeadObject: takes(headObject, ...reading),
      DeleteObject: takes(deleteObject, ...version, 'BypassGovernanceRetention'),
      DeleteObjects: takes(
        deleteObjects,
        ...bucket,
        'ChecksumAlgorithm',
        'Delete',
        'BypassGovernanceRetention',
        'RequestPayer',
      ),
      ListObjectsV2: takes(listObjectsV2, ...listing, 'ContinuationToken', 'StartAfter', 'FetchOwner'),
      ListObjectVersions: takes(listObjectVersions, ...listing, 'KeyMarker', 'VersionIdMarker'),
      GetObjectTagging: takes(getObjectTagging, ...version),
      PutObjectTagging: takes(putObjectTagging, ...version, 'ContentMD5', 'ChecksumAlgorithm', 'Tagging'),
      GetObjectRetention: takes(getObjectRetention, ...version),
      GetObjectLegalHold: takes(getObjectLegalHold, ...version),
      PutObjectLegalHold: takes(
        putObjectLegalHold,
        ...version,
        'LegalHold',
        'ContentMD5',
        'ChecksumAlgorithm',
      ),
    },
  }
}
