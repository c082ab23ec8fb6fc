/**
 * The permissions of the operations that are not called like them ("Required permissions for Amazon S3 API
 * operations", S3 user guide).
 */
const renamed: Readonly<Record<string, string>> = {
  AbortMultipartUpload: 'AbortMultipartUpload',
  CompleteMultipartUpload: 'PutObject',
  CopyObject: 'PutObject',
  CreateMultipartUpload: 'PutObject',
  DeleteBucketCors: 'PutBucketCORS',
  DeleteBucketEncryption: 'PutEncryptionConfiguration',
  DeleteBucketLifecycle: 'PutLifecycleConfiguration',
  DeleteBucketTagging: 'PutBucketTagging',
  DeleteObjects: 'DeleteObject',
  DeletePublicAccessBlock: 'PutBucketPublicAccessBlock',
  GetBucketCors: 'GetBucketCORS',
  GetBucketEncryption: 'GetEncryptionConfiguration',
  GetBucketLifecycleConfiguration: 'GetLifecycleConfiguration',
  GetObjectLockConfiguration: 'GetBucketObjectLockConfiguration',
  GetPublicAccessBlock: 'GetBucketPublicAccessBlock',
  HeadBucket: 'ListBucket',
  HeadObject: 'GetObject',
  ListBuckets: 'ListAllMyBuckets',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  ListObjects: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  ListObjectVersions: 'ListBucketVersions',
  ListParts: 'ListMultipartUploadParts',
  PutBucketCors: 'PutBucketCORS',
  PutBucketEncryption: 'PutEncryptionConfiguration',
  PutBucketLifecycleConfiguration: 'PutLifecycleConfiguration',
  PutObjectLockConfiguration: 'PutBucketObjectLockConfiguration',
  PutPublicAccessBlock: 'PutBucketPublicAccessBlock',
  UploadPart: 'PutObject',
  UploadPartCopy: 'PutObject',
}

export const s3ActionOf = (operation: string): string => `s3:${renamed[operation] ?? operation}`
