import { formatSeconds, type Timestamp } from '../../../shared/clock/clock.ts'
import type { ConditionUpdate } from '../../../shared/contract/conditions.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import type { Actuator, StepContext, StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import { coded } from '../../../terraform-free-infra/aws/account/aws.ts'
import { checkBackupBucket } from './check.ts'
import { desiredBucket } from './desired.ts'
import { removeBackupBucket } from './remove.ts'
import { requestOf } from './request.ts'
import {
  type BackupOptions,
  type BucketMemory,
  bucketMemoryOf,
  confirmMissing,
  createOpenBucket,
  type DeletionPace,
  type DoubtfulAbsence,
  doubtfulResult,
  mayBeOurs,
  memoryPatch,
  type OpenBucket,
  reconcileBucket,
  usualPace,
} from './s3/backup.ts'

/** Reconciles BackupBuckets of type `aws` (docs/contract/kinds.md#backupbucket). Each is an S3 bucket. */
export const backupBucketActuator = ({
  pace = usualPace,
  ...deps
}: BackupOptions & { readonly pace?: DeletionPace }): Actuator<BackupBucket> => {
  const open = createOpenBucket(deps)
  return {
    check: checkBackupBucket,
    reconcile: step => coded(reconcileBackupBucket(open, step)),
    remove: step => coded(removeBackupBucket(open, pace, step)),
  }
}

/** The wait until a new bucket is read again, in ms. */
const visibleAfterMs = 5_000

const reconcileBackupBucket = async (
  open: OpenBucket,
  step: StepContext<BackupBucket>,
): Promise<StepResult> => {
  const { object, operation, clock, log, saveStatus } = step
  const desired = desiredBucket(object)
  const memory = bucketMemoryOf(object.status?.state)
  const bucket = await open(requestOf(step))
  let recreated = memory.recreated
  /** Records the request before it is sent. A bucket that was there is not replaced because of one answer. */
  const beforeCreate = async (): Promise<DoubtfulAbsence | undefined> => {
    if (memory.owned) {
      const doubtful = await confirmMissing(bucket, memory, clock.now())
      if (doubtful !== undefined) return doubtful
      log.warn('bucket was not found for minutes and is created again', { bucket: desired.name })
      recreated = true
    }
    const isRecorded = memory.requested && memory.recreated === recreated && memory.missingSince === undefined
    if (!isRecorded)
      await saveStatus({ state: memoryPatch({ requested: true, recreated, missingSince: undefined }) })
    return undefined
  }
  const outcome = await reconcileBucket(bucket, desired, {
    beforeCreate,
    mayBeDeleted: operation === 'Create' && !mayBeOurs(memory),
  })
  switch (outcome.kind) {
    case 'doubtful':
      return doubtfulResult(outcome)
    case 'refused':
      // Only the first request is known to have created nothing: others may have had other credentials.
      if (!mayBeOurs(memory)) await saveStatus({ state: memoryPatch({ requested: false }) })
      throw outcome.error
    case 'not-visible':
      return {
        kind: 'continue',
        afterMs: visibleAfterMs,
        progress: 50,
        description: outcome.isNew
          ? `Waiting until S3 shows the new bucket ${desired.name}`
          : `Waiting until S3 shows the bucket ${desired.name}, which the account has, or has deleted it`,
        ...(!outcome.isNew && { status: { state: memoryPatch({ recreated: false }) } }),
      }
    case 'done':
      if (outcome.actions.length > 0)
        log.info('bucket differs', { actions: outcome.actions.map(({ sentence }) => sentence) })
      return {
        kind: 'done',
        status: { state: memoryPatch(completeMemory) },
        ...(recreated && { conditions: { BucketRecreated: recreatedCondition(desired.name, clock.now()) } }),
      }
  }
}

const completeMemory: BucketMemory = {
  owned: true,
  requested: false,
  recreated: false,
  missingSince: undefined,
}

/** gardenlet ignores conditions of types that it does not know. This one is never removed. */
const recreatedCondition = (name: string, now: Timestamp): ConditionUpdate => ({
  status: 'True',
  reason: 'NotFound',
  message: `S3 did not find the bucket ${name}, which had existed, for several minutes, so it was requested again before ${formatSeconds(now)}. If another client had deleted it, all earlier backups are lost`,
})
