import type { Clock } from '../../../../../shared/clock/clock.ts'
import { AwsError } from '../../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { S3Bucket, VersionEntry } from '../bucket/bucket.ts'
import { isMissingBucket } from '../bucket/bucket-error.ts'
import { leftoverRules, leftoverTag, lifecycleWith } from '../bucket/lifecycle-rules.ts'
import { deleteVersions } from './delete-versions.ts'
import type { DeletionProgress } from './deletion-progress.ts'

export interface RemovePrefixInput {
  readonly bucket: S3Bucket
  /** Ends with a slash. */
  readonly prefix: string
  readonly progress: DeletionProgress
  readonly parallel: number
  readonly timeMs: number
  readonly clock: Clock
}

/**
 * - `done`: `deleted` are gone, and S3 deletes the `left` ones when their locks have ended.
 * - `no-bucket`: so there is nothing to delete.
 * - `deleting`: to be continued.
 */
export type PrefixRemoval =
  | { readonly kind: 'done'; readonly deleted: number; readonly left: number }
  | { readonly kind: 'no-bucket' }
  | { readonly kind: 'deleting'; readonly progress: DeletionProgress; readonly heldBack: boolean }

/** Tags that are put at a time, for each page. */
const parallelTags = 8

/**
 * One step towards a bucket without the objects under a prefix. Locked versions are tagged, and the bucket gets the
 * lifecycle rules by which S3 deletes what is tagged.
 */
export const removePrefix = async (input: RemovePrefixInput): Promise<PrefixRemoval> => {
  const { bucket, prefix } = input
  if (!prefix.endsWith('/') || prefix.length < 2)
    throw new TypeError(`${JSON.stringify(prefix)} is no prefix`)
  try {
    const { end, progress } = await deleteVersions({ ...input, onLocked: locked => tagAll(bucket, locked) })
    if (end !== 'finished') return { kind: 'deleting', progress, heldBack: end === 'held-back' }
    const left = progress.locked?.count ?? 0
    if (left > 0) await expireLeftovers(bucket)
    return { kind: 'done', deleted: progress.deleted, left }
  } catch (error) {
    // A bucket elsewhere may hold the objects. The region in the spec or the credentials are wrong.
    if (isMissingBucket(error)) return { kind: 'no-bucket' }
    throw error
  }
}

const expireLeftovers = async (bucket: S3Bucket): Promise<void> => {
  const lifecycle = lifecycleWith(await bucket.getLifecycle(), leftoverRules)
  if (lifecycle !== undefined) await bucket.putLifecycle(lifecycle)
}

const tagAll = async (bucket: S3Bucket, versions: readonly VersionEntry[]): Promise<void> => {
  const rest = versions[Symbol.iterator]()
  const work = async () => {
    for (const version of rest) await tag(bucket, version)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: parallelTags }, work))
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

const tag = async (bucket: S3Bucket, version: VersionEntry): Promise<void> => {
  try {
    await bucket.tagVersion(version, leftoverTag)
  } catch (error) {
    // Its lock has ended since, and S3 or somebody else has deleted it.
    if (!(error instanceof AwsError && (error.code === 'NoSuchKey' || error.code === 'NoSuchVersion')))
      throw error
  }
}
