import * as s3 from '@aws-sdk/client-s3'
import {
  type ClientSettings,
  checkBeforeWrites,
} from '../../../../../terraform-free-infra/aws/account/client/client.ts'
import { observeRequests } from '../../../../../terraform-free-infra/aws/account/client/observe-requests.ts'
import { requireAnswers } from '../../../../../terraform-free-infra/aws/account/client/require-answers.ts'
import { AwsError } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { stepError } from '../../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import type { BucketRetention, DeleteFailure, ObjectLock, S3Bucket, VersionRef } from './bucket.ts'
import { bucketError, ForeignBucketError, isFromProxy, proxyError } from './bucket-error.ts'
import { isListed } from './is-listed.ts'
import { versionPageOf } from './version-page.ts'

export interface SdkBucketOptions {
  readonly name: string
  /** Called before each attempt of a change. */
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
  /** Secret values that no error may contain. */
  readonly secrets: readonly string[]
}

/** Implements one bucket with the AWS SDK, for one step. */
export const sdkBucket = (settings: ClientSettings, options: SdkBucketOptions): S3Bucket => {
  const { name, signal, secrets } = options
  const { region } = settings
  // Endpoints other than Amazon's usually have no host name per bucket.
  const client = new s3.S3Client({ ...settings, forcePathStyle: settings.endpoint !== undefined })
  client.middlewareStack.use(checkBeforeWrites(options.throwIfExpired))
  client.middlewareStack.use(observeRequests(settings.onRequest))
  client.middlewareStack.use(requireAnswers())
  const place = { name, region }

  const run = async <T>(
    doing: string,
    call: (send: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    try {
      return await call({ abortSignal: signal })
    } catch (thrown) {
      const explain = (error: AwsError) =>
        isFromProxy(error, thrown)
          ? proxyError(error, doing)
          : bucketError(error, doing, place, regionIn(thrown))
      throw stepError(thrown, { doing, signal, secrets, explain })
    }
  }
  /** Returns the result of the first call on a bucket. Finds out whether the bucket belongs to another account. */
  const unlessForeign = async <T>(doing: string, call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      const isDenied = error instanceof Error && hasCode(error.cause, 'AccessDenied')
      // If the list cannot be read, the first error is reported.
      const listed = isDenied ? await isListed(client, name, signal).catch(() => undefined) : undefined
      throw listed === false ? new ForeignBucketError(doing, place) : error
    }
  }
  const S3Bucket = name

  const deleteBatch = (versions: readonly VersionRef[]): Promise<DeleteFailure[]> =>
    run(`deleting objects of bucket ${name}`, async send => {
      const Objects = versions.map(({ key, versionId }) => ({ Key: key, VersionId: versionId }))
      const command = new s3.DeleteObjectsCommand({ Bucket: S3Bucket, Delete: { Quiet: true, Objects } })
      const { Errors = [] } = await client.send(command, send)
      return Errors.map(({ Key = '', VersionId = 'null', Code = '', Message = '' }) => ({
        key: Key,
        versionId: VersionId,
        code: Code,
        message: Message,
      }))
    })

  /** For a key that the XML of a batch cannot represent. */
  const deleteOne = async (version: VersionRef): Promise<readonly DeleteFailure[]> => {
    const { key: Key, versionId: VersionId } = version
    try {
      await run(`deleting an object of bucket ${name}`, send =>
        client.send(new s3.DeleteObjectCommand({ Bucket: S3Bucket, Key, VersionId }), send),
      )
      return []
    } catch (error) {
      const denied = error instanceof Error ? error.cause : undefined
      if (!(denied instanceof AwsError && denied.code === 'AccessDenied')) throw error
      return [{ ...version, code: denied.code, message: denied.said }]
    }
  }

  return {
    name,
    region,

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
        if (hasCode(error, 'BucketAlreadyOwnedByYou')) return 'there'
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
        if (error instanceof Error && hasCode(error.cause, 'AccessDenied')) return undefined
        throw error
      }
    },

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
        throw hasCode(error, 'MethodNotAllowed') ? new ForeignBucketError(doing, place) : error
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

    listVersions: ({ prefix, after }) =>
      run(`listing the objects of bucket ${name}`, async send =>
        versionPageOf(
          await client.send(
            new s3.ListObjectVersionsCommand({
              Bucket: S3Bucket,
              // A key may contain characters that XML cannot represent.
              EncodingType: 'url',
              ...(prefix !== '' && { Prefix: prefix }),
              ...(after && { KeyMarker: after.key }),
              ...(after?.versionId !== undefined && { VersionIdMarker: after.versionId }),
            }),
            send,
          ),
        ),
      ),

    deleteVersions: async versions => {
      const batch = versions.filter(({ key }) => isXmlText(key))
      const failures = batch.length === 0 ? [] : await deleteBatch(batch)
      for (const version of versions)
        if (!isXmlText(version.key)) failures.push(...(await deleteOne(version)))
      return failures
    },

    tagVersion: async ({ key, versionId }, tag) => {
      await run(`tagging a locked object of bucket ${name}`, send =>
        client.send(
          new s3.PutObjectTaggingCommand({
            Bucket: S3Bucket,
            Key: key,
            VersionId: versionId,
            Tagging: { TagSet: [{ Key: tag.key, Value: tag.value }] },
          }),
          send,
        ),
      )
    },

    lockOf: async ({ key, versionId }, now) => {
      const version = { Bucket: S3Bucket, Key: key, VersionId: versionId }
      const doing = `reading the lock of an object of bucket ${name}`
      const unlocked = [
        'NoSuchObjectLockConfiguration',
        'InvalidRequest',
        'NoSuchKey',
        'NoSuchVersion',
        // Delete markers have no locks.
        'MethodNotAllowed',
      ]
      const retention = await unless(
        unlocked,
        run(doing, send => client.send(new s3.GetObjectRetentionCommand(version), send)),
      )
      const { Mode: mode, RetainUntilDate: until } = retention?.Retention ?? {}
      if (mode !== undefined && until !== undefined && until.getTime() > now) {
        return { kind: 'retention', mode, until: until.getTime() }
      }
      const hold = await unless(
        unlocked,
        run(doing, send => client.send(new s3.GetObjectLegalHoldCommand(version), send)),
      )
      return { kind: hold?.LegalHold?.Status === 'ON' ? 'legal-hold' : 'none' }
    },
  }
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof AwsError && codes.includes(error.code)

/** Returns the result of a read, or undefined if S3 reports that it does not exist. */
const unless = async <T>(codes: string | readonly string[], read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if (hasCode(error, ...[codes].flat())) return undefined
    throw error
  }
}

/** Returns the actual region of a bucket. S3 sends it in a header of each response, and in some errors. */
const regionIn = (thrown: unknown): string | undefined => {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  const { Region, $response } = thrown as {
    readonly Region?: unknown
    readonly $response?: { readonly headers?: Readonly<Record<string, unknown>> }
  }
  const region = $response?.headers?.['x-amz-bucket-region'] ?? Region
  return typeof region === 'string' && /^[a-z0-9-]+$/.test(region) ? region : undefined
}

/** S3 counts a year as 365 days. */
const retentionOf = (configuration: s3.ObjectLockConfiguration | undefined): BucketRetention | undefined => {
  const { Mode: mode, Days, Years } = configuration?.Rule?.DefaultRetention ?? {}
  const days = Days ?? (Years === undefined ? undefined : Years * 365)
  return mode === undefined || days === undefined ? undefined : { mode, days }
}

/** Control characters, surrogate halves and the two noncharacters (XML 1.0, "Characters"). */
const doubtful = /[\p{Cc}\p{Cs}\ufffe\uffff]/u

/**
 * Returns true if XML represents the text unchanged. Also rejects some control characters that XML allows. Keys of S3
 * may contain characters that XML does not allow.
 */
const isXmlText = (text: string): boolean => !doubtful.test(text)
