import type {
  DeletePublicAccessBlockRequest,
  GetBucketEncryptionOutput,
  GetBucketEncryptionRequest,
  GetBucketTaggingOutput,
  GetBucketVersioningOutput,
  GetBucketVersioningRequest,
  GetPublicAccessBlockOutput,
  PutBucketEncryptionRequest,
  PutBucketTaggingRequest,
  PutBucketVersioningRequest,
  PutPublicAccessBlockRequest,
} from '@aws-sdk/client-s3'
import { notBuilt } from '../../serve/not-built.ts'
import { refuse } from '../../service.ts'
import { malformedXml } from '../refusals.ts'
import { type BucketInput, findBucket, type S3Call } from './find-bucket.ts'
import { tagSet } from './tags.ts'

export const putBucketVersioning = (input: PutBucketVersioningRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const { Status, MFADelete } = input.VersioningConfiguration ?? {}
  if (MFADelete === 'Enabled') {
    throw notBuilt('the parameter MFADelete')
  }
  if (Status === undefined) {
    throw refuse('IllegalVersioningConfigurationException', 'The Versioning element must be specified', {
      status: 400,
    })
  }
  if (Status !== 'Enabled' && Status !== 'Suspended') throw malformedXml()
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

const encryptionAlgorithms = ['AES256', 'aws:kms', 'aws:kms:dsse']

export const putBucketEncryption = (input: PutBucketEncryptionRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  const rules = input.ServerSideEncryptionConfiguration?.Rules ?? []
  const wanted = rules[0]?.ApplyServerSideEncryptionByDefault
  if (rules.length !== 1 || !wanted || !encryptionAlgorithms.includes(wanted.SSEAlgorithm ?? '')) {
    throw malformedXml()
  }
  if (wanted.SSEAlgorithm === 'AES256' && wanted.KMSMasterKeyID !== undefined) {
    throw refuse(
      'InvalidArgument',
      'a KMSMasterKeyID is not applicable if the default sse algorithm is not aws:kms or aws:kms:dsse',
      { status: 400, members: { ArgumentName: 'ApplyServerSideEncryptionByDefault' } },
    )
  }
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

export const putBucketTagging = (input: PutBucketTaggingRequest, call: S3Call): object => {
  const bucket = findBucket(input, call)
  bucket.tags = tagSet(input.Tagging?.TagSet ?? [], 'bucket')
  return {}
}

export const getBucketTagging = (input: BucketInput, call: S3Call): GetBucketTaggingOutput => {
  const { tags, name } = findBucket(input, call)
  if (!tags || tags.length === 0) {
    throw refuse('NoSuchTagSet', 'The TagSet does not exist', { status: 404, members: { BucketName: name } })
  }
  return { TagSet: [...tags] }
}
