import { formatSeconds, type Timestamp } from '../../../../../shared/clock/clock.ts'
import type { StepResult } from '../../../../../shared/lifecycle/lifecycle.ts'
import { consistentAfterMs } from '../../../../../terraform-free-infra/aws/account/consistent-after.ts'
import { type BucketMemory, mayBeOurs, memoryPatch } from '../bucket-memory.ts'
import { growingWait } from '../deletion/deletion-waits.ts'
import type { S3Bucket } from './bucket.ts'

/** A bucket that S3 does not find, but that may exist. */
export interface DoubtfulAbsence {
  readonly kind: 'doubtful'
  /** The first answer that it does not exist. */
  readonly since: Timestamp
  /** The reason of the wait. */
  readonly description: string
  readonly afterMs: number
}

/** The shortest and the longest pause between two questions, in ms. */
const shortestPauseMs = 5_000
const longestPauseMs = 60_000

/**
 * Returns undefined if a bucket does not exist. Called after such an answer, which proves little: S3 may hide a bucket
 * ("Amazon S3 data consistency model", S3 User Guide: "Bucket configurations have an eventual consistency model"), and
 * a proxy may answer instead. So all answers must agree for `consistentAfterMs`, and then the list of the account's
 * buckets must not contain it. Only a bucket that was never requested is gone as soon as it is not in the list.
 */
export const confirmMissing = async (
  bucket: S3Bucket,
  memory: BucketMemory,
  now: Timestamp,
): Promise<DoubtfulAbsence | undefined> => {
  const since = Math.min(memory.missingSince ?? now, now)
  const until = since + consistentAfterMs
  if (now < until && (mayBeOurs(memory) || (await bucket.isListed()) !== false))
    return {
      kind: 'doubtful',
      since,
      description: `S3 does not find the bucket ${bucket.name}. Waiting until ${formatSeconds(until)}, because S3 may hide an existing bucket for some minutes`,
      afterMs: Math.min(Math.max(now - since, shortestPauseMs), longestPauseMs, until - now),
    }
  if (now >= until && (await bucket.isListed()))
    return {
      kind: 'doubtful',
      since,
      description: `S3 lists the bucket ${bucket.name} but does not find it. Waiting until it is in neither or in both answers`,
      afterMs: growingWait(since, now),
    }
  return undefined
}

/** Waits until the answers about the bucket agree. */
export const doubtfulResult = ({ since, afterMs, description }: DoubtfulAbsence): StepResult => ({
  kind: 'continue',
  afterMs,
  progress: 50,
  description,
  status: { state: memoryPatch({ missingSince: since }) },
})
