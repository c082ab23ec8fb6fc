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
 * - `done`: the last pass found only the `left` versions, which S3 deletes when their locks end. `deleted`: the number
 *   of deleted ones.
 * - `no-bucket`: S3 does not find the bucket, which proves little (`confirmMissing`).
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
  const until = input.clock.now() + input.timeMs
  let { progress } = input
  // A pass of an earlier release does not know where it began, so another one follows.
  let passFrom = progress.after === undefined ? progress.deleted : (progress.passFrom ?? -1)
  try {
    for (;;) {
      const timeMs = until - input.clock.now()
      const onLocked = (locked: readonly VersionEntry[]) => tagAll(bucket, locked)
      const pass = await deleteVersions({ ...input, progress, timeMs, onLocked })
      progress = pass.progress
      if (pass.end !== 'finished')
        return {
          kind: 'deleting',
          progress: { ...progress, passFrom: Math.max(0, passFrom) },
          heldBack: pass.end === 'held-back',
        }
      if (progress.deleted === passFrom) break
      // A list that changes while its pages are read may omit a version. Only a pass that finds nothing is the last.
      progress = { deleted: progress.deleted }
      passFrom = progress.deleted
    }
    const left = progress.locked?.count ?? 0
    if (left > 0) await expireLeftovers(bucket)
    return { kind: 'done', deleted: progress.deleted, left }
  } catch (error) {
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
