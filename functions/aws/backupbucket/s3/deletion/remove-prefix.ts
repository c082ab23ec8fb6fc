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
 * - `done`: `deleted` versions are gone; S3 deletes the `left` ones when their locks end.
 * - `no-bucket`: there is nothing to delete.
 * - `deleting`: to be continued.
 */
export type PrefixRemoval =
  | { readonly kind: 'done'; readonly deleted: number; readonly left: number }
  | { readonly kind: 'no-bucket' }
  | { readonly kind: 'deleting'; readonly progress: DeletionProgress; readonly heldBack: boolean }

/** Concurrent tag requests per page. */
const parallelTags = 8

/**
 * Runs one step of the deletion of all objects under a prefix. Tags locked versions and adds the lifecycle rules by
 * which S3 deletes tagged versions.
 */
export const removePrefix = async (input: RemovePrefixInput): Promise<PrefixRemoval> => {
  const { bucket, prefix } = input
  if (!prefix.endsWith('/') || prefix.length < 2)
    throw new TypeError(`${JSON.stringify(prefix)} is not a prefix`)
  try {
    const { end, progress } = await deleteVersions({ ...input, onLocked: locked => tagAll(bucket, locked) })
    if (end !== 'finished') return { kind: 'deleting', progress, heldBack: end === 'held-back' }
    const left = progress.locked?.count ?? 0
    if (left > 0) await expireLeftovers(bucket)
    return { kind: 'done', deleted: progress.deleted, left }
  } catch (error) {
    // The objects may be in a bucket elsewhere. The region in the spec or the credentials are wrong.
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
    // Its lock has ended since, and S3 or another client has deleted it.
    if (!(error instanceof AwsError && (error.code === 'NoSuchKey' || error.code === 'NoSuchVersion')))
      throw error
  }
}
