import * as z from 'zod'
import { formatMilliseconds, parseTimestamp, type Timestamp } from '../../../../shared/clock/clock.ts'

/** The record of an object's bucket in `status.state`. Earlier releases wrote only `owned`. */
export interface BucketMemory {
  /**
   * True if the bucket was proved to be in the object's region and account. If a later deletion finds it elsewhere, its
   * credentials are wrong, and it must not succeed.
   */
  readonly owned: boolean
  /** True from before a request to create the bucket until it is owned: the answer may be lost. */
  readonly requested: boolean
  /** True if a request to create the bucket was for one that was owned before. */
  readonly recreated: boolean
  /** The first of the latest answers, all of which say that the bucket does not exist. */
  readonly missingSince: Timestamp | undefined
}

/** A damaged field counts as absent. */
const flag = z.literal(true).optional().catch(undefined)
const memorySchema = z.object({
  owned: flag,
  requested: flag,
  recreated: flag,
  missingSince: z.string().optional().catch(undefined),
})

/** Reads the memory from `status.state`. `resumed`: false after a failed step, which ends a doubt. */
export const bucketMemoryOf = (state: unknown, resumed = true): BucketMemory => {
  const { owned, requested, recreated, missingSince } = memorySchema.safeParse(state).data ?? {}
  return {
    owned: owned === true,
    requested: requested === true,
    recreated: recreated === true,
    missingSince: missingSince === undefined || !resumed ? undefined : parseTimestamp(missingSince),
  }
}

/** Returns true if a bucket may exist because of the object. */
export const mayBeOurs = ({ owned, requested }: BucketMemory): boolean => owned || requested

export const stateApiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'

/** Returns a merge patch of `status.state`. False and undefined remove a field; absent fields are unchanged. */
export const memoryPatch = (changes: Partial<BucketMemory>): Readonly<Record<string, unknown>> => ({
  apiVersion: stateApiVersion,
  kind: 'BackupBucketState',
  ...Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      field,
      typeof value === 'number' ? formatMilliseconds(value) : value || null,
    ]),
  ),
})
