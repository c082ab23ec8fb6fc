import * as s3 from '@aws-sdk/client-s3'
import { test } from 'vitest'
import { expectRefusal, type Refusal, start, type World } from '../testing/refusal.ts'

const Bucket = 'backup'
const clientOf = ({ settings }: World, region = 'eu-west-1') => new s3.S3Client({ ...settings, region })
const location = { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } } as const
const newBucket = (world: World, ObjectLockEnabledForBucket = false) =>
  clientOf(world).send(new s3.CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket, ...location }))
const put = (world: World, input: Partial<s3.PutObjectCommandInput> = {}) =>
  clientOf(world).send(new s3.PutObjectCommand({ Bucket, Key: 'key', Body: 'x', ...input }))

const refusals: readonly Refusal[] = [
  [
    'a bucket that there is not',
    world => clientOf(world).send(new s3.GetBucketVersioningCommand({ Bucket })),
    'NoSuchBucket',
    404,
    'The specified bucket does not exist',
  ],
  [
    'a bucket that the caller has already',
    async world => [await newBucket(world), await newBucket(world)],
    'BucketAlreadyOwnedByYou',
    409,
    'Your previous request to create the named bucket succeeded and you already own it.',
  ],
  [
    'a bucket that is another region’s',
    async world => {
      await newBucket(world)
      return clientOf(world, 'eu-central-1').send(new s3.GetBucketVersioningCommand({ Bucket }))
    },
    'PermanentRedirect',
    301,
    /must be addressed using the specified endpoint/,
  ],
  [
    'deleting a bucket with something in it',
    async world => {
      await newBucket(world)
      await put(world)
      return clientOf(world).send(new s3.DeleteBucketCommand({ Bucket }))
    },
    'BucketNotEmpty',
    409,
    'The bucket you tried to delete is not empty',
  ],
  [
    'deleting a version that is locked',
    async world => {
      await newBucket(world, true)
      const ObjectLockRetainUntilDate = new Date(start + 86_400_000)
      const { VersionId } = await put(world, { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate })
      return clientOf(world).send(new s3.DeleteObjectCommand({ Bucket, Key: 'key', VersionId }))
    },
    'AccessDenied',
    403,
    /object lock/,
  ],
  [
    'suspending the versions of a bucket with object lock',
    async world => {
      await newBucket(world, true)
      const VersioningConfiguration = { Status: 'Suspended' } as const
      return clientOf(world).send(new s3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }))
    },
    'InvalidBucketState',
    409,
    /Object Lock configuration is present/,
  ],
  [
    'the lock of a bucket without one',
    async world => {
      await newBucket(world)
      return clientOf(world).send(new s3.GetObjectLockConfigurationCommand({ Bucket }))
    },
    'ObjectLockConfigurationNotFoundError',
    404,
    'Object Lock configuration does not exist for this bucket',
  ],
]

test.each(refusals)('S3 refuses %s', expectRefusal)
