import { serviceModel } from '../codec/model.ts'
import { storedSchemas } from '../schemas/stored-schemas.ts'
import { takes } from '../serve/takes.ts'
import type { Service } from '../service.ts'
import { locate } from './access/address.ts'
import { deleteBucketPolicy, getBucketPolicy, putBucketPolicy } from './access/bucket-policy.ts'
import { bucketPolicyWord } from './access/bucket-policy-word.ts'
import { checkPresigned } from './access/presigned.ts'
import { s3ActionsOf } from './access/s3-actions.ts'
import {
  deletePublicAccessBlock,
  getBucketEncryption,
  getBucketTagging,
  getBucketVersioning,
  getPublicAccessBlock,
  putBucketEncryption,
  putBucketTagging,
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
import { listObjects, listObjectsV2 } from './lists/list-objects.ts'
import { listMultipartUploads } from './lists/list-uploads.ts'
import { listObjectVersions } from './lists/list-versions.ts'
import { unwrap } from './objects/bodies/unwrap.ts'
import { copyObject, uploadPartCopy } from './objects/copy-object.ts'
import { deleteObjects } from './objects/delete-objects.ts'
import {
  getObjectLegalHold,
  getObjectLockConfiguration,
  getObjectRetention,
  putObjectLegalHold,
  putObjectLockConfiguration,
  putObjectRetention,
} from './objects/locks/object-lock.ts'
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  uploadPart,
} from './objects/multipart.ts'
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
const reading = [
  ...version,
  'IfMatch',
  'IfNoneMatch',
  'IfModifiedSince',
  'IfUnmodifiedSince',
  'Range',
  'ChecksumMode',
  'ResponseContentType',
  'ResponseContentDisposition',
] as const
const sources = [
  'CopySource',
  'CopySourceIfMatch',
  'CopySourceIfModifiedSince',
  'CopySourceIfNoneMatch',
  'CopySourceIfUnmodifiedSince',
] as const
const listing = [
  ...bucket,
  'Prefix',
  'Delimiter',
  'MaxKeys',
  'EncodingType',
  'RequestPayer',
  'OptionalObjectAttributes',
] as const
const upload = [...bucket, 'Key', 'UploadId', 'RequestPayer'] as const

/** S3: buckets, their settings, objects with versions and locks, multipart uploads. */
export const createS3 = (settings: S3Settings = {}): Service<S3State> => {
  const rules = rulesOf(settings)
  return {
    model: s3Model,
    scope: 'global',
    signingName: 's3',
    largestBody: 64 * 1024 * 1024,
    createState: emptyState,
    readsOf: ({ buckets }) =>
      buckets.flatMap(({ name, region }) =>
        [
          'GetBucketLifecycleConfiguration',
          'GetBucketTagging',
          'GetObjectLockConfiguration',
          'ListMultipartUploads',
          'ListObjectVersions',
        ].map(operation => [operation, { Bucket: name }, region] as const),
      ),
    refusals: s3Refusals,
    actionsOf: s3ActionsOf,
    resourceOf: (_, { Bucket, Key }) =>
      typeof Bucket !== 'string'
        ? undefined
        : `"arn:aws:s3:::${Bucket}${typeof Key === 'string' ? `/${Key}` : ''}"`,
    checkPresigned,
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
      GetBucketTagging: takes(getBucketTagging, ...bucket),
      PutBucketTagging: takes(putBucketTagging, ...digested, 'Tagging'),
      GetObjectLockConfiguration: takes(getObjectLockConfiguration, ...bucket),
      PutObjectLockConfiguration: takes(
        putObjectLockConfiguration,
        ...digested,
        'ObjectLockConfiguration',
        'RequestPayer',
      ),
      PutObject: takes(
        putObject,
        ...describedMembers,
        ...checksums,
        'Body',
        'ContentLength',
        'IfMatch',
        'IfNoneMatch',
      ),
      CopyObject: takes(
        copyObject,
        ...describedMembers,
        ...sources,
        'IfMatch',
        'IfNoneMatch',
        'MetadataDirective',
        'TaggingDirective',
      ),
      GetObject: takes(getObject, ...reading),
      HeadObject: takes(headObject, ...reading),
      DeleteObject: takes(deleteObject, ...version, 'BypassGovernanceRetention', 'IfMatch'),
      DeleteObjects: takes(
        deleteObjects,
        ...bucket,
        'ChecksumAlgorithm',
        'Delete',
        'BypassGovernanceRetention',
        'RequestPayer',
      ),
      ListObjects: takes(listObjects, ...listing, 'Marker'),
      ListObjectsV2: takes(listObjectsV2, ...listing, 'ContinuationToken', 'StartAfter', 'FetchOwner'),
      ListObjectVersions: takes(listObjectVersions, ...listing, 'KeyMarker', 'VersionIdMarker'),
      GetObjectTagging: takes(getObjectTagging, ...version),
      PutObjectTagging: takes(putObjectTagging, ...version, 'ContentMD5', 'ChecksumAlgorithm', 'Tagging'),
      GetObjectRetention: takes(getObjectRetention, ...version),
      PutObjectRetention: takes(
        putObjectRetention,
        ...version,
        'Retention',
        'BypassGovernanceRetention',
        'ContentMD5',
        'ChecksumAlgorithm',
      ),
      GetObjectLegalHold: takes(getObjectLegalHold, ...version),
      PutObjectLegalHold: takes(
        putObjectLegalHold,
        ...version,
        'LegalHold',
        'ContentMD5',
        'ChecksumAlgorithm',
      ),
      CreateMultipartUpload: takes(createMultipartUpload, ...describedMembers, 'ChecksumType'),
      UploadPart: takes(
        uploadPart,
        ...upload,
        ...checksums,
        'PartNumber',
        'Body',
        'ContentLength',
        'ChecksumAlgorithm',
      ),
      UploadPartCopy: takes(uploadPartCopy, ...upload, ...sources, 'CopySourceRange', 'PartNumber'),
      CompleteMultipartUpload: takes(
        completeMultipartUpload,
        ...upload,
        'MultipartUpload',
        'ChecksumCRC32',
        'ChecksumCRC32C',
        'ChecksumCRC64NVME',
        'ChecksumSHA1',
        'ChecksumSHA256',
        'ChecksumType',
        'MpuObjectSize',
        'IfMatch',
        'IfNoneMatch',
      ),
      AbortMultipartUpload: takes(abortMultipartUpload, ...upload),
      ListMultipartUploads: takes(
        listMultipartUploads,
        ...bucket,
        'Prefix',
        'Delimiter',
        'EncodingType',
        'KeyMarker',
        'UploadIdMarker',
        'MaxUploads',
        'RequestPayer',
      ),
    },
  }
}
