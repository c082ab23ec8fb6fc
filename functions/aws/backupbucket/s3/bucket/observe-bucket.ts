import type { Lifecycle, ObjectLock, PublicAccess, S3Bucket } from './bucket.ts'
import { unlessBucketMissing } from './bucket-error.ts'
import { abortUploads, hasRule } from './lifecycle-rules.ts'

export interface ObservedBucket {
  readonly policy: string | undefined
  readonly publicAccess: PublicAccess | undefined
  readonly lifecycle: Lifecycle
  readonly objectLock: ObjectLock | undefined
  /**
   * The algorithm. Not read if the lifecycle has our rule, which is written last: a complete bucket is encrypted,
   * because S3 cannot disable encryption.
   */
  readonly encryption: { readonly algorithm: string | undefined } | undefined
}

/**
 * Reads a bucket. Returns undefined after one request if it does not exist. Otherwise sends four requests, or five for
 * an incomplete bucket. The first proves that this account owns the bucket, so no other bucket is read.
 */
export const observeBucket = (bucket: S3Bucket): Promise<ObservedBucket | undefined> =>
  // S3 may show a bucket in one answer and not in the next.
  unlessBucketMissing(observeThere(bucket))

const observeThere = async (bucket: S3Bucket): Promise<ObservedBucket> => {
  const policy = await bucket.getPolicy()
  const [publicAccess, lifecycle, objectLock] = await Promise.all([
    bucket.getPublicAccess(),
    bucket.getLifecycle(),
    bucket.getObjectLock(),
  ])
  const encryption = hasRule(lifecycle, abortUploads)
    ? undefined
    : { algorithm: await bucket.getEncryption() }
  return { policy, publicAccess, lifecycle, objectLock, encryption }
}
