import type {
  DeletePublicAccessBlockRequest,
  GetBucketEncryptionOutput,
  GetBucketEncryptionRequest,
  GetBucketVersioningOutput,
  GetBucketVersioningRequest,
  GetPublicAccessBlockOutput,
  PutBucketEncryptionRequest,
  PutBucketVersioningRequest,
  PutPublicAccessBlockRequest,
} from '@aws-sdk/client-s3'
import { notBuilt } from '../../serve/not-built.ts'
import { refuse } from '../../service.ts'
import { type BucketInput, findBucket, type S3Call } from './find-bucket.ts'

export const putBucketVersioning = (input: PutBucketVersioningRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const { Status, MFADelete } = input.VersioningConfiguration ?? {}
  if (MFADelete === 'Enabled') {
    throw notBuilt('the parameter MFADelete')
  }
  if (bucket.lockEnabled && Status === 'Suspended') {
    throw refuse(
      'InvalidBucketState',
      'An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.',
      { status: 409 },
    )
  }
  bucket.versioning = Status
  return {}
}

export const getBucketVersioning = (
  input: GetBucketVersioningRequest,
  call: S3Call,
): GetBucketVersioningOutput => {
  const { versioning } = findBucket(input, call)
  return versioning === undefined ? {} : { Status: versioning }
}

export const putBucketEncryption = (input: PutBucketEncryptionRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const rules = input.ServerSideEncryptionConfiguration?.Rules ?? []
  bucket.encryption = rules.map(rule => ({ ...rule, BucketKeyEnabled: rule.BucketKeyEnabled ?? false }))
  return {}
}

export const getBucketEncryption = (
  input: GetBucketEncryptionRequest,
  call: S3Call,
): GetBucketEncryptionOutput => ({
  ServerSideEncryptionConfiguration: { Rules: [...findBucket(input, call).encryption] },
})

export const putPublicAccessBlock = (input: PutPublicAccessBlockRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const wanted = input.PublicAccessBlockConfiguration ?? {}
  if (Object.keys(wanted).length === 0) {
    throw refuse('InvalidRequest', 'Must specify at least one configuration.', { status: 400 })
  }
  bucket.publicAccess = {
    BlockPublicAcls: wanted.BlockPublicAcls ?? false,
    IgnorePublicAcls: wanted.IgnorePublicAcls ?? false,
    BlockPublicPolicy: wanted.BlockPublicPolicy ?? false,
    RestrictPublicBuckets: wanted.RestrictPublicBuckets ?? false,
  }
  return {}
}

export const getPublicAccessBlock = (input: BucketInput, call: S3Call): GetPublicAccessBlockOutput => {
  const { publicAccess, name } = findBucket(input, call)
  if (!publicAccess) {
    throw refuse(
      'NoSuchPublicAccessBlockConfiguration',
      'The public access block configuration was not found',
      { status: 404, members: { BucketName: name } },
    )
  }
  return { PublicAccessBlockConfiguration: publicAccess }
}

export const deletePublicAccessBlock = (input: DeletePublicAccessBlockRequest, call: S3Call): object => {
  findBucket(input, call).publicAccess = undefined
  return {}
}
