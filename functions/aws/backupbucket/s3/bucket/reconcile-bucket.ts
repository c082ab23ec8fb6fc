import type { S3Bucket } from './bucket.ts'
import { isMissingBucket } from './bucket-error.ts'
import type { DesiredBucket } from './desired-bucket.ts'
import { observeBucket } from './observe-bucket.ts'
import { type BucketAction, planBucket } from './plan-bucket.ts'

/**
 * - `done`: the bucket is as desired. `actions`: the executed writes.
 * - `not-visible`: it was created, but S3 does not find it everywhere yet.
 */
export type BucketOutcome =
  | { readonly kind: 'done'; readonly actions: readonly BucketAction[] }
  | { readonly kind: 'not-visible' }

/** Reconciles a bucket. An unchanged one costs four reads and no write. */
export const reconcileBucket = async (bucket: S3Bucket, desired: DesiredBucket): Promise<BucketOutcome> => {
  const actions = planBucket(desired, await observeBucket(bucket))
  const isNew = actions.some(({ kind }) => kind === 'create')
  try {
    for (const action of actions) {
      // One at a time: S3 refuses concurrent changes of one bucket.
      if ((await applyAction(bucket, action)) === 'there') {
        // Another client of this account was faster and may have set something, so the bucket must be read.
        return { kind: 'not-visible' }
      }
    }
  } catch (error) {
    if (isNew && isMissingBucket(error)) return { kind: 'not-visible' }
    throw error
  }
  return { kind: 'done', actions }
}

const applyAction = async (bucket: S3Bucket, action: BucketAction): Promise<'made' | 'there' | undefined> => {
  switch (action.kind) {
    case 'create':
      return bucket.create({ objectLock: action.objectLock })
    case 'encrypt':
      await bucket.encrypt()
      return
    case 'block-public-access':
      await bucket.blockPublicAccess()
      return
    case 'put-policy':
      await bucket.putPolicy(action.policy)
      return
    case 'put-lifecycle':
      await bucket.putLifecycle(action.lifecycle)
      return
    case 'enable-versioning':
      await bucket.enableVersioning()
      return
    case 'put-retention':
      await bucket.putRetention(action.retention)
      return
  }
}
