import * as z from 'zod'
import type { VersionEntry } from '../bucket/bucket.ts'

const version = z.object({ key: z.string(), versionId: z.string(), modified: z.number() })

const progressSchema = z.object({
  deleted: z.int().min(0),
  after: z.object({ key: z.string(), versionId: z.string().exactOptional() }).exactOptional(),
  locked: z.object({ count: z.int().min(1), oldest: version, newest: version }).exactOptional(),
})

/**
 * How far the deletion of objects has come. S3's list is the truth: without this, a pass only begins anew.
 */
export interface DeletionProgress {
  /** Versions and delete markers that are gone. */
  readonly deleted: number
  /** Everything up to here was dealt with in this pass; undefined: the pass begins. */
  readonly after?: { readonly key: string; readonly versionId?: string } | undefined
  /** What this pass has found locked. */
  readonly locked?: LockedVersions | undefined
}

export interface LockedVersions {
  readonly count: number
  readonly oldest: VersionEntry
  readonly newest: VersionEntry
}

export const noProgress: DeletionProgress = { deleted: 0 }

const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'
const kind = 'BackupDeletionState'

/** Reads the progress in a `status.state`; what is no progress is none. */
export const progressOf = (state: unknown): DeletionProgress => {
  const holder = z.object({ kind: z.literal(kind), progress: progressSchema }).safeParse(state)
  return holder.data?.progress ?? noProgress
}

/** As a merge patch of `status.state`. */
export const progressPatch = ({
  deleted,
  after,
  locked,
}: DeletionProgress): Readonly<Record<string, unknown>> => ({
  apiVersion,
  kind,
  progress: {
    deleted,
    after: after === undefined ? null : { key: after.key, versionId: after.versionId ?? null },
    locked: locked ?? null,
  },
})

/**
 * Written to `status.state` once the object's bucket is in its region and account. A deletion that later finds the bucket
 * elsewhere has wrong credentials, and must not succeed.
 */
export const ownershipState = { apiVersion, kind: 'BackupBucketState', owned: true }

export const isOwned = (state: unknown): boolean =>
  z.object({ owned: z.literal(true) }).safeParse(state).success

/** The locked ones with more of them. */
export const withLocked = (
  locked: LockedVersions | undefined,
  versions: readonly VersionEntry[],
): LockedVersions | undefined =>
  versions.reduce<LockedVersions | undefined>(
    (so, each) => ({
      count: (so?.count ?? 0) + 1,
      oldest: so === undefined || each.modified < so.oldest.modified ? each : so.oldest,
      newest: so === undefined || each.modified > so.newest.modified ? each : so.newest,
    }),
    locked,
  )

/**
 * 1 to 90. Nobody counts the objects of a bucket beforehand, so this only tells that it goes on: half of the way after
 * 20,000.
 */
export const percentOf = ({ deleted }: DeletionProgress): number =>
  1 + Math.floor((89 * deleted) / (deleted + 20_000))
