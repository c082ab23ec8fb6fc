import { parseTimestamp } from '../../../shared/clock/clock.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import { done, type StepContext, type StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import { placeProblems } from './desired.ts'
import { locksText, locksWait } from './locks.ts'
import { requestOf } from './request.ts'
import {
  type BucketRemoval,
  bucketMemoryOf,
  confirmMissing,
  type DeletionPace,
  doubtfulResult,
  growingWait,
  mayBeOurs,
  type OpenBucket,
  percentOf,
  progressOf,
  progressPatch,
  removeBucket,
} from './s3/backup.ts'

/** The wait before the next step continues unfinished work, in ms. */
const nextMs = 1_000

/** The wait after S3 throttled a request, in ms (docs/contract/provider-aws.md#throttling). */
const heldBackMs = 30_000

export const removeBackupBucket = async (
  open: OpenBucket,
  { timeMs, parallel }: DeletionPace,
  step: StepContext<BackupBucket>,
): Promise<StepResult> => {
  const { object, clock, log } = step
  const { name } = object.metadata
  const problems = placeProblems(object)
  if (problems.length > 0) {
    // No bucket was ever created for it. A name that is invalid for such a bucket may belong to something else.
    log.warn('this object cannot have a bucket; nothing to delete', { why: formatProblems(problems) })
    return done({ state: null })
  }
  const bucket = await open(requestOf(step))
  const memory = bucketMemoryOf(object.status?.state, step.resumed)
  const removal = await removeBucket({
    bucket,
    progress: progressOf(object.status?.state),
    wasOurs: mayBeOurs(memory),
    timeMs,
    parallel,
    clock,
  })
  const since = parseTimestamp(object.metadata.deletionTimestamp) ?? clock.now()
  switch (removal.kind) {
    case 'gone':
      return done({ state: null })
    case 'missing': {
      const doubtful = await confirmMissing(bucket, memory, clock.now())
      if (doubtful !== undefined) return doubtfulResult(doubtful)
      log.info('bucket does not exist', { bucket: name })
      return done({ state: null })
    }
    case 'not-ours':
      log.warn('this object has no bucket; nothing to delete', { bucket: name, why: removal.why })
      return done({ state: null })
    case 'deleting':
      return goesOn(removal, {
        description: deletingText(name, removal),
        afterMs: deletingWait(removal, growingWait(since, clock.now())),
      })
    case 'locked':
      return goesOn(removal, {
        description: locksText(name, removal.locks),
        afterMs: locksWait(removal.locks, since, clock.now()),
      })
  }
}

type Unfinished = Extract<BucketRemoval, { readonly kind: 'deleting' | 'locked' }>

const goesOn = (
  { progress }: Unfinished,
  wait: { readonly description: string; readonly afterMs: number },
): StepResult => ({
  kind: 'continue',
  ...wait,
  progress: percentOf(progress),
  status: { state: progressPatch(progress) },
})

type Deleting = Extract<BucketRemoval, { readonly kind: 'deleting' }>

const deletingWait = ({ why }: Deleting, growingMs: number): number => {
  switch (why) {
    case 'out-of-time':
      return nextMs
    case 'held-back':
      return heldBackMs
    case 'not-empty':
      return growingMs
  }
}

const deletingText = (name: string, { progress, why }: Deleting): string => {
  const text = `Deleting the objects of bucket ${name}: ${progress.deleted} deleted`
  switch (why) {
    case 'out-of-time':
      return text
    case 'held-back':
      return `${text}; S3 throttles the requests`
    case 'not-empty':
      return `${text}, and new ones were added: another client still writes to the bucket`
  }
}
