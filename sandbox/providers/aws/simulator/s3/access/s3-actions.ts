/**
 * Operations with a permission of a different name ("Required permissions for Amazon S3 API operations", S3 user
 * guide).
 */
const renamed: Readonly<Record<string, string>> = {
  DeleteBucketLifecycle: 'PutLifecycleConfiguration',
  DeletePublicAccessBlock: 'PutBucketPublicAccessBlock',
  GetBucketEncryption: 'GetEncryptionConfiguration',
  GetBucketLifecycleConfiguration: 'GetLifecycleConfiguration',
  GetObjectLockConfiguration: 'GetBucketObjectLockConfiguration',
  GetPublicAccessBlock: 'GetBucketPublicAccessBlock',
  HeadBucket: 'ListBucket',
  HeadObject: 'GetObject',
  ListBuckets: 'ListAllMyBuckets',
  ListObjectsV2: 'ListBucket',
  ListObjectVersions: 'ListBucketVersions',
  PutBucketEncryption: 'PutEncryptionConfiguration',
  PutBucketLifecycleConfiguration: 'PutLifecycleConfiguration',
  PutObjectLockConfiguration: 'PutBucketObjectLockConfiguration',
  PutPublicAccessBlock: 'PutBucketPublicAccessBlock',
}

/** Operations on one version have separate permissions: `s3:GetObjectVersion`. */
const versioned: Readonly<Record<string, string>> = {
  DeleteObject: 'DeleteObjectVersion',
  GetObject: 'GetObjectVersion',
  GetObjectTagging: 'GetObjectVersionTagging',
  HeadObject: 'GetObjectVersion',
  PutObjectTagging: 'PutObjectVersionTagging',
}

type S3Input = Readonly<Record<string, unknown>>

const actionOf = (operation: string, { VersionId }: S3Input): string =>
  (VersionId === undefined ? undefined : versioned[operation]) ?? renamed[operation] ?? operation

/**
 * Returns the permissions that a request needs in addition to the operation's own (the same page; "CreateBucket", API
 * reference).
 */
const further = (operation: string, input: S3Input): readonly string[] => {
  switch (operation) {
    case 'CreateBucket':
      return input.ObjectLockEnabledForBucket
        ? ['PutBucketVersioning', 'PutBucketObjectLockConfiguration']
        : []
    case 'PutObject':
      return [
        ...(input.Tagging === undefined ? [] : ['PutObjectTagging']),
        ...(input.ObjectLockMode === undefined ? [] : ['PutObjectRetention']),
        ...(input.ObjectLockLegalHoldStatus === undefined ? [] : ['PutObjectLegalHold']),
      ]
    default:
      return []
  }
}

/**
 * Returns the actions that a call needs permission for. DeleteObjects checks each key separately and returns the keys
 * that it was not allowed to delete.
 */
export const s3ActionsOf = (operation: string, input: S3Input): readonly string[] => {
  if (operation === 'DeleteObjects') return []
  const bypass = input.BypassGovernanceRetention ? ['BypassGovernanceRetention'] : []
  return [actionOf(operation, input), ...further(operation, input), ...bypass].map(action => `s3:${action}`)
}
