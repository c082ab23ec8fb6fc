import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import { done, type StepContext, type StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import type { OpenBucket } from '../backupbucket/s3/backup.ts'
import { percentOf, progressOf, progressPatch, removePrefix } from '../backupbucket/s3/backup.ts'
import { placeProblems } from './check.ts'
import { requestOf } from './request.ts'
import type { BackupEntrySettings } from './settings.ts'

/** The wait before the next step continues unfinished work, in ms. */
const nextMs = 1_000

/** The wait after S3 throttled a request, in ms (docs/contract/provider-aws.md#throttling). */
const heldBackMs = 30_000

/** Executes one step of the deletion of the shoot's objects in the bucket. */
export const removeEntryObjects = async (
  open: OpenBucket,
  { deletionTimeMs, deletionParallel }: BackupEntrySettings,
  step: StepContext<BackupEntry>,
  prefix: string,
): Promise<StepResult> => {
  const { object, clock, log } = step
  const problems = placeProblems(object)
  if (problems.length > 0) {
    // Nothing was ever stored there. A name that is invalid for such a bucket may belong to something else.
    log.warn('such a bucket cannot exist; nothing to delete', { why: formatProblems(problems) })
    return done({ state: null })
  }
  const removal = await removePrefix({
    bucket: await open(requestOf(step)),
    prefix,
    progress: progressOf(object.status?.state),
    timeMs: deletionTimeMs,
    parallel: deletionParallel,
    clock,
  })
  switch (removal.kind) {
    case 'done': {
      const { deleted, left } = removal
      if (left > 0) {
        log.warn('locked objects are left to the lifecycle rules of their bucket', { prefix, deleted, left })
      }
      return done({ state: null })
    }
    case 'no-bucket':
      log.warn('bucket does not exist; nothing to delete', { bucket: object.spec.bucketName })
      return done({ state: null })
    case 'deleting': {
      const { progress, heldBack } = removal
      return {
        kind: 'continue',
        afterMs: heldBack ? heldBackMs : nextMs,
        progress: percentOf(progress),
        description: `Deleting the objects under ${prefix} of bucket ${object.spec.bucketName}: ${progress.deleted} deleted${heldBack ? '; S3 throttles the requests' : ''}`,
        status: { state: progressPatch(progress) },
      }
    }
  }
}
