import type { S3Bucket } from './bucket.ts'
import { isMissingBucket, isOthersBucket } from './bucket-error.ts'
import type { DoubtfulAbsence } from './confirm-missing.ts'
import type { DesiredBucket } from './desired-bucket.ts'
import { observeBucket } from './observe-bucket.ts'
import { type BucketAction, planBucket } from './plan-bucket.ts'

/**
 * - `done`: the bucket is as desired. `actions`: the executed writes.
 * - `not-visible`: it exists, but S3 does not find it everywhere. `isNew`: no other request created it.
 * - `doubtful`: S3 does not find a bucket that may exist.
 * - `refused`: S3 created nothing, because the name belongs to others.
 */
export type BucketOutcome =
  | { readonly kind: 'done'; readonly actions: readonly BucketAction[] }
  | { readonly kind: 'not-visible'; readonly isNew: boolean }
  | DoubtfulAbsence
  | { readonly kind: 'refused'; readonly error: Error }

export interface ReconcileBucketOptions {
  /** Called before the bucket is created; a returned outcome ends the step. */
  readonly beforeCreate: () => Promise<DoubtfulAbsence | undefined>
  /** True if the bucket may be a deleted one that S3 still shows. Then a request to create it proves that it exists. */
  readonly mayBeDeleted: boolean
}

/** Reconciles a bucket. An unchanged one costs four reads and no write. */
export const reconcileBucket = async (
  bucket: S3Bucket,
  desired: DesiredBucket,
  { beforeCreate, mayBeDeleted }: ReconcileBucketOptions,
): Promise<BucketOutcome> => {
  const observed = await observeBucket(bucket)
  // The legacy region would reset the access control list of an existing bucket ("CreateBucket", S3 API reference).
  const isProved = observed !== undefined && (!mayBeDeleted || bucket.region === legacyRegion)
  const doubtful = isProved ? undefined : await beforeCreate()
  if (doubtful !== undefined) return doubtful
  try {
    const created = isProved ? undefined : await createBucket(bucket, desired)
    const isOther = created !== undefined && (created.kind !== 'not-visible' || created.isNew)
    if (created !== undefined && (isOther || observed === undefined)) return created
    return { kind: 'done', actions: await applyAll(bucket, planBucket(desired, observed)) }
  } catch (error) {
    if (isMissingBucket(error)) return { kind: 'not-visible', isNew: observed === undefined }
    throw error
  }
}

/** Only here, S3 accepts a creation of a bucket that the account has already ("CreateBucket", S3 API reference). */
const legacyRegion = 'us-east-1'

const createBucket = async (bucket: S3Bucket, desired: DesiredBucket): Promise<BucketOutcome> => {
  const [create, ...rest] = planBucket(desired, undefined)
  if (create?.kind !== 'create') throw new TypeError('the plan for a missing bucket does not create it')
  try {
    // Another client of this account was faster and may have set something, so the bucket must be read.
    if ((await bucket.create(create)) === 'there') return { kind: 'not-visible', isNew: false }
  } catch (error) {
    if (isOthersBucket(error)) return { kind: 'refused', error }
    throw error
  }
  if (bucket.region !== legacyRegion)
    return { kind: 'done', actions: [create, ...(await applyAll(bucket, rest))] }
  const made = await observeBucket(bucket)
  if (made === undefined) return { kind: 'not-visible', isNew: true }
  return { kind: 'done', actions: [create, ...(await applyAll(bucket, planBucket(desired, made)))] }
}

/** One at a time: S3 refuses concurrent changes of one bucket. */
const applyAll = async (
  bucket: S3Bucket,
  actions: readonly BucketAction[],
): Promise<readonly BucketAction[]> => {
  for (const action of actions) await applyAction(bucket, action)
  return actions
}

const applyAction = async (bucket: S3Bucket, action: BucketAction): Promise<void> => {
  switch (action.kind) {
    case 'create':
      await bucket.create(action)
      return
    case 'encrypt':
      return bucket.encrypt()
    case 'block-public-access':
      return bucket.blockPublicAccess()
    case 'put-policy':
      return bucket.putPolicy(action.policy)
    case 'put-lifecycle':
      return bucket.putLifecycle(action.lifecycle)
    case 'enable-versioning':
      return bucket.enableVersioning()
    case 'put-retention':
      return bucket.putRetention(action.retention)
  }
}
