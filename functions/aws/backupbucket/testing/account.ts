import * as s3 from '@aws-sdk/client-s3'
import type { Aws, StoredObject } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { type AwsOptions, createS3 } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings } from '../../../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { bucketName as Bucket, secretAccessKey } from './steps.ts'

export const day = 86_400_000
export const start = Date.parse('2026-11-21T00:00:00Z')

/** The operator's view of an account. Its calls are not in the call log. */
export const newAccount = (options: AwsOptions = {}) => {
  const clock = virtualClock(start)
  const aws = shuffledAws({ clock, ...options })
  const client = new s3.S3Client(clientSettings(aws))
  const quietly = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    aws.calls.clear()
    return result
  }
  return {
    aws,
    clock,
    client,
    /** The names of the called actions, oldest first. */
    actions: () => aws.calls.all().map(({ action }) => action),
    operator: <T>(work: (client: s3.S3Client) => Promise<T>) => quietly(work(client)),
    put: (count: number, prefix = 'object-', input: object = {}) =>
      quietly(
        Promise.all(
          Array.from({ length: count }, (_, index) =>
            client.send(new s3.PutObjectCommand({ Bucket, Key: `${prefix}${index}`, Body: 'x', ...input })),
          ),
        ),
      ),
    /**
     * Adds objects with one version each to the state, without a call per object. Their `prefix` sorts after all
     * existing objects.
     */
    fill: (count: number, prefix = 'object-') => {
      const [bucket] = aws.account().state(createS3(), 'eu-west-1').buckets
      bucket?.objects.push(...Array.from({ length: count }, (_, index) => filled(prefix, index, clock.now())))
    },
    /** All settings of the bucket. */
    settings: () => quietly(settingsOf(client)),
    exists: () =>
      quietly(
        client.send(new s3.HeadBucketCommand({ Bucket })).then(
          () => true,
          () => false,
        ),
      ),
    /** `<key> <tags>` of each version. */
    versions: () => quietly(versionsOf(client)),
  }
}

const filled = (prefix: string, index: number, modified: number): StoredObject => ({
  key: `${prefix}${String(index).padStart(7, '0')}`,
  versions: [
    {
      id: 'null',
      modified,
      deleteMarker: false,
      etag: '"d41d8cd98f00b204e9800998ecf8427e"',
      size: 0,
      body: '',
      headers: {},
      metadata: {},
      storageClass: 'STANDARD',
      checksum: { algorithm: 'CRC32', value: 'AAAAAA==', type: 'FULL_OBJECT' },
      tags: [],
      retention: undefined,
      legalHold: false,
    },
  ],
})

const settingsOf = async (client: s3.S3Client) => {
  const orNone = <T>(read: Promise<T>) => read.catch(({ name }: Error) => name)
  const { Policy } = await client
    .send(new s3.GetBucketPolicyCommand({ Bucket }))
    .catch(() => ({ Policy: undefined }))
  const [encryption, access, lifecycle, lock, versioning, location] = await Promise.all([
    orNone(client.send(new s3.GetBucketEncryptionCommand({ Bucket }))),
    orNone(client.send(new s3.GetPublicAccessBlockCommand({ Bucket }))),
    orNone(client.send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket }))),
    orNone(client.send(new s3.GetObjectLockConfigurationCommand({ Bucket }))),
    orNone(client.send(new s3.GetBucketVersioningCommand({ Bucket }))),
    orNone(client.send(new s3.GetBucketLocationCommand({ Bucket }))),
  ])
  return {
    policy: Policy === undefined ? undefined : JSON.parse(Policy),
    encryption: field(encryption, 'ServerSideEncryptionConfiguration'),
    access: field(access, 'PublicAccessBlockConfiguration'),
    lifecycle: field(lifecycle, 'Rules'),
    lock: field(lock, 'ObjectLockConfiguration'),
    versioning: field(versioning, 'Status'),
    location: field(location, 'LocationConstraint'),
  }
}

const field = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : answer

const versionsOf = async (client: s3.S3Client): Promise<string[]> => {
  const { Versions = [] } = await client.send(new s3.ListObjectVersionsCommand({ Bucket }))
  return Promise.all(
    Versions.map(async ({ Key = '', VersionId }) => {
      const { TagSet = [] } = await client.send(
        new s3.GetObjectTaggingCommand({ Bucket, Key, ...(VersionId !== undefined && { VersionId }) }),
      )
      return [Key, ...TagSet.map(tag => `${tag.Key}=${tag.Value}`)].join(' ')
    }),
  )
}

/** Gives the bucket of the account a policy that allows another account everything. */
export const letStrangerIn = async (client: s3.S3Client): Promise<void> => {
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: {
      Effect: 'Allow',
      Principal: { AWS: '222222222222' },
      Action: 's3:*',
      Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`],
    },
  })
  await client.send(new s3.PutBucketPolicyCommand({ Bucket, Policy }))
}

/** The access key of another account. */
export const strangerOf = (aws: Aws): string => {
  aws.account('222222222222').register({ accessKeyId: 'AKIASTRANGER', secretAccessKey })
  return 'AKIASTRANGER'
}
