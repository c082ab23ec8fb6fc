import * as s3 from '@aws-sdk/client-s3'
import {
  type ClientSettings,
  withRules,
} from '../../../../../terraform-free-infra/aws/account/client/client.ts'
import { type AwsError, isRefusal } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { stepError } from '../../../../../terraform-free-infra/aws/account/errors/step-error.ts'
import { bucketError, ForeignBucketError, isFromProxy, proxyError } from './bucket-error.ts'
import { isListed } from './is-listed.ts'

export interface SdkBucketOptions {
  readonly name: string
  /** Called before each attempt of a change. */
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
  /** Secret values that no error may contain. */
  readonly secrets: readonly string[]
}

/** Sends the calls of one step to one bucket, and describes their errors. */
export interface BucketCalls extends Pick<SdkBucketOptions, 'name' | 'signal'> {
  readonly region: string
  readonly client: s3.S3Client
  run<T>(doing: string, call: (send: { abortSignal: AbortSignal }) => Promise<T>): Promise<T>
  /** Returns the result of the first call on a bucket. Finds out whether the bucket belongs to another account. */
  unlessForeign<T>(doing: string, call: Promise<T>): Promise<T>
}

export const createBucketCalls = (settings: ClientSettings, options: SdkBucketOptions): BucketCalls => {
  const { name, signal, secrets } = options
  const { region } = settings
  // Endpoints other than Amazon's usually have no host name per bucket.
  const forcePathStyle = settings.endpoint !== undefined
  // S3 limits requests per bucket, not per account.
  const { pace: _, ...rules } = settings
  const client = withRules(new s3.S3Client({ ...settings, forcePathStyle }), rules, options.throwIfExpired)
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
  const unlessForeign = async <T>(doing: string, call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      const isDenied = error instanceof Error && isRefusal(error.cause, 'AccessDenied')
      // If the list cannot be read, the first error is reported.
      const listed = isDenied ? await isListed(client, name, signal).catch(() => undefined) : undefined
      throw listed === false ? new ForeignBucketError(doing, place) : error
    }
  }
  return { name, region, signal, client, run, unlessForeign }
}

/** Returns the result of a read, or undefined if S3 reports that it does not exist. */
export const unless = async <T>(
  codes: string | readonly string[],
  read: Promise<T>,
): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if (isRefusal(error, ...[codes].flat())) return undefined
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
