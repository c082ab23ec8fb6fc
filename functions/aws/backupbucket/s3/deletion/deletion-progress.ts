import * as z from 'zod'
import type { VersionEntry } from '../bucket/bucket.ts'
import { stateApiVersion } from '../bucket-memory.ts'

const version = z.object({ key: z.string(), versionId: z.string(), modified: z.number() })

const progressSchema = z.object({
  deleted: z.int().min(0),
  passFrom: z.int().min(0).exactOptional(),
  after: z.object({ key: z.string(), versionId: z.string().exactOptional() }).exactOptional(),
  locked: z.object({ count: z.int().min(1), oldest: version, newest: version }).exactOptional(),
})

/**
 * The progress of a deletion of objects. The list of S3 is authoritative: without the progress, a pass only starts
 * again.
 */
export interface DeletionProgress {
  /** Number of deleted versions and delete markers. */
  readonly deleted: number
  /** Their number when the current pass of a prefix began. */
  readonly passFrom?: number | undefined
  /** Everything up to this position was processed in this pass. Undefined: the pass starts. */
  readonly after?: { readonly key: string; readonly versionId?: string } | undefined
  readonly locked?: LockedVersions | undefined
}

export interface LockedVersions {
  readonly count: number
  readonly oldest: VersionEntry
  readonly newest: VersionEntry
}

export const noProgress: DeletionProgress = { deleted: 0 }

const kind = 'BackupDeletionState'

/** Reads the progress from `status.state`. An invalid state has no progress. */
export const progressOf = (state: unknown): DeletionProgress => {
  const holder = z.object({ kind: z.literal(kind), progress: progressSchema }).safeParse(state)
  return holder.data?.progress ?? noProgress
}

/** Returns the progress as a merge patch of `status.state`. */
export const progressPatch = ({
  deleted,
  passFrom,
  after,
  locked,
}: DeletionProgress): Readonly<Record<string, unknown>> => ({
  apiVersion: stateApiVersion,
  kind,
  // The bucket is there.
  missingSince: null,
  progress: {
    deleted,
    passFrom: passFrom ?? null,
    after: after === undefined ? null : { key: after.key, versionId: after.versionId ?? null },
    locked: locked ?? null,
  },
})

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
 * From 1 to 90. The number of objects is unknown, so this only shows that the deletion continues: half after 20,000.
 */
export const percentOf = ({ deleted }: DeletionProgress): number =>
  1 + Math.floor((89 * deleted) / (deleted + 20_000))
