import * as s3 from '@aws-sdk/client-s3'
import type { ClientSettings } from '../../../../../terraform-free-infra/aws/account/client/client.ts'
import { isRefusal } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { S3Bucket } from './bucket.ts'
import { createBucketCalls, type SdkBucketOptions } from './bucket-calls.ts'
import { bucketObjects } from './bucket-objects.ts'
import { bucketSettings } from './bucket-settings.ts'
import { isListed } from './is-listed.ts'

/** Implements one bucket with the AWS SDK, for one step. */
export const sdkBucket = (settings: ClientSettings, options: SdkBucketOptions): S3Bucket => {
  const calls = createBucketCalls(settings, options)
  const { name, region, signal, client, run, unlessForeign } = calls
  const S3Bucket = name
  return {
    name,
    region,
    ...bucketSettings(calls),
    ...bucketObjects(calls),

    create: async ({ objectLock }) => {
      try {
        await run(`creating bucket ${name} in ${region}`, send =>
          client.send(
            new s3.CreateBucketCommand({
              Bucket: S3Bucket,
              ...(objectLock && { ObjectLockEnabledForBucket: true }),
              // us-east-1 must be omitted here ("CreateBucket", S3 API reference).
              ...(region !== 'us-east-1' && {
                CreateBucketConfiguration: { LocationConstraint: region as s3.BucketLocationConstraint },
              }),
            }),
            send,
          ),
        )
        return 'made'
      } catch (error) {
        if (isRefusal(error, 'BucketAlreadyOwnedByYou')) return 'there'
        throw error
      }
    },

    remove: async () => {
      const doing = `deleting bucket ${name}`
      await unlessForeign(
        doing,
        run(doing, send => client.send(new s3.DeleteBucketCommand({ Bucket: S3Bucket }), send)),
      )
    },

    isListed: async () => {
      try {
        return await run(`listing the buckets of the account of bucket ${name}`, () =>
          isListed(client, name, signal),
        )
      } catch (error) {
        if (error instanceof Error && isRefusal(error.cause, 'AccessDenied')) return undefined
        throw error
      }
    },
  }
}
