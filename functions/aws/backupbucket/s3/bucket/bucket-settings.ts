import * as s3 from '@aws-sdk/client-s3'
import { isRefusal } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { BucketRetention, ObjectLock, S3Bucket } from './bucket.ts'
import { type BucketCalls, unless } from './bucket-calls.ts'
import { ForeignBucketError } from './bucket-error.ts'

type BucketSettings = Pick<
  S3Bucket,
  | 'getPolicy'
  | 'putPolicy'
  | 'getPublicAccess'
  | 'blockPublicAccess'
  | 'getEncryption'
  | 'encrypt'
  | 'getLifecycle'
  | 'putLifecycle'
  | 'getObjectLock'
  | 'putRetention'
  | 'enableVersioning'
>

/** Reads and changes the settings of a bucket. */
export const bucketSettings = ({ name, region, client, run, unlessForeign }: BucketCalls): BucketSettings => {
  const S3Bucket = name
  return {
    getPolicy: async () => {
      const doing = `reading the policy of bucket ${name}`
      try {
        return await unless(
          'NoSuchBucketPolicy',
          unlessForeign(
            doing,
            run(doing, async send => {
              const { Policy } = await client.send(new s3.GetBucketPolicyCommand({ Bucket: S3Bucket }), send)
              return Policy
            }),
          ),
        )
      } catch (error) {
        // For other calls this code means that the object is a delete marker.
        throw isRefusal(error, 'MethodNotAllowed') ? new ForeignBucketError(doing, { name, region }) : error
      }
    },

    putPolicy: async Policy => {
      await run(`putting the policy of bucket ${name}`, send =>
        client.send(new s3.PutBucketPolicyCommand({ Bucket: S3Bucket, Policy }), send),
      )
    },

    getPublicAccess: () =>
      unless(
        'NoSuchPublicAccessBlockConfiguration',
        run(`reading the public access block of bucket ${name}`, async send => {
          const { PublicAccessBlockConfiguration: block = {} } = await client.send(
            new s3.GetPublicAccessBlockCommand({ Bucket: S3Bucket }),
            send,
          )
          return {
            blockPublicAcls: block.BlockPublicAcls ?? false,
            ignorePublicAcls: block.IgnorePublicAcls ?? false,
            blockPublicPolicy: block.BlockPublicPolicy ?? false,
            restrictPublicBuckets: block.RestrictPublicBuckets ?? false,
          }
        }),
      ),

    blockPublicAccess: async () => {
      await run(`blocking public access to bucket ${name}`, send =>
        client.send(
          new s3.PutPublicAccessBlockCommand({
            Bucket: S3Bucket,
            PublicAccessBlockConfiguration: {
              BlockPublicAcls: true,
              IgnorePublicAcls: true,
              BlockPublicPolicy: true,
              RestrictPublicBuckets: true,
            },
          }),
          send,
        ),
      )
    },

    getEncryption: () =>
      unless(
        'ServerSideEncryptionConfigurationNotFoundError',
        run(`reading the encryption of bucket ${name}`, async send => {
          const { ServerSideEncryptionConfiguration } = await client.send(
            new s3.GetBucketEncryptionCommand({ Bucket: S3Bucket }),
            send,
          )
          return ServerSideEncryptionConfiguration?.Rules?.[0]?.ApplyServerSideEncryptionByDefault
            ?.SSEAlgorithm
        }),
      ),

    encrypt: async () => {
      await run(`encrypting bucket ${name}`, send =>
        client.send(
          new s3.PutBucketEncryptionCommand({
            Bucket: S3Bucket,
            ServerSideEncryptionConfiguration: {
              Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
            },
          }),
          send,
        ),
      )
    },

    getLifecycle: async () => {
      const found = await unless(
        'NoSuchLifecycleConfiguration',
        run(`reading the lifecycle of bucket ${name}`, send =>
          client.send(new s3.GetBucketLifecycleConfigurationCommand({ Bucket: S3Bucket }), send),
        ),
      )
      return { rules: found?.Rules ?? [], minimumSize: found?.TransitionDefaultMinimumObjectSize }
    },

    putLifecycle: async ({ rules, minimumSize }) => {
      await run(`putting the lifecycle of bucket ${name}`, send =>
        client.send(
          new s3.PutBucketLifecycleConfigurationCommand({
            Bucket: S3Bucket,
            LifecycleConfiguration: { Rules: [...rules] },
            ...(minimumSize !== undefined && { TransitionDefaultMinimumObjectSize: minimumSize }),
          }),
          send,
        ),
      )
    },

    getObjectLock: () =>
      unless(
        'ObjectLockConfigurationNotFoundError',
        run(`reading the object lock of bucket ${name}`, async send => {
          const { ObjectLockConfiguration } = await client.send(
            new s3.GetObjectLockConfigurationCommand({ Bucket: S3Bucket }),
            send,
          )
          return { retention: retentionOf(ObjectLockConfiguration) } satisfies ObjectLock
        }),
      ),

    putRetention: async retention => {
      await run(`putting the object lock of bucket ${name}`, send =>
        client.send(
          new s3.PutObjectLockConfigurationCommand({
            Bucket: S3Bucket,
            ObjectLockConfiguration: {
              ObjectLockEnabled: 'Enabled',
              ...(retention && {
                Rule: { DefaultRetention: { Mode: retention.mode, Days: retention.days } },
              }),
            },
          }),
          send,
        ),
      )
    },

    enableVersioning: async () => {
      await run(`enabling the versioning of bucket ${name}`, send =>
        client.send(
          new s3.PutBucketVersioningCommand({
            Bucket: S3Bucket,
            VersioningConfiguration: { Status: 'Enabled' },
          }),
          send,
        ),
      )
    },
  }
}

/** S3 counts a year as 365 days. */
const retentionOf = (configuration: s3.ObjectLockConfiguration | undefined): BucketRetention | undefined => {
  const { Mode: mode, Days, Years } = configuration?.Rule?.DefaultRetention ?? {}
  const days = Days ?? (Years === undefined ? undefined : Years * 365)
  return mode === undefined || days === undefined ? undefined : { mode, days }
}
