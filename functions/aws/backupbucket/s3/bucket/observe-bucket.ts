import type { Lifecycle, ObjectLock, PublicAccess, S3Bucket } from './bucket.ts'
import { unlessBucketMissing } from './bucket-error.ts'
import { abortUploads, hasRule } from './lifecycle-rules.ts'

/** A bucket of this account as it is there. */
export interface ObservedBucket {
  readonly policy: string | undefined
  readonly publicAccess: PublicAccess | undefined
  readonly lifecycle: Lifecycle
  readonly objectLock: ObjectLock | undefined
  /**
   * The algorithm; not read where the lifecycle has its rule, which is made after it: a bucket that was made whole is
   * encrypted, because S3 has no way to switch that off.
   */
  readonly encryption: { readonly algorithm: string | undefined } | undefined
}

/**
 * Looks at a bucket: undefined when there is none, for one request; otherwise four requests, and five where the bucket
 * was made by halves. The first shows that the bucket is this account's, so that nothing is asked of another one.
 */
export const observeBucket = async (bucket: S3Bucket): Promise<ObservedBucket | undefined> => {
  const owned = await unlessBucketMissing(bucket.getPolicy().then(policy => ({ policy })))
  if (owned === undefined) return undefined
  const [publicAccess, lifecycle, objectLock] = await Promise.all([
    bucket.getPublicAccess(),
    bucket.getLifecycle(),
    bucket.getObjectLock(),
  ])
  const encryption = hasRule(lifecycle, abortUploads)
    ? undefined
    : { algorithm: await bucket.getEncryption() }
  return { ...owned, publicAccess, lifecycle, objectLock, encryption }
}
