import type { BackupBucket } from '../../../shared/contract/objects.ts'
import {
  continueAfter,
  done,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { desiredBucket } from './desired.ts'
import { requestOf } from './request.ts'
import type { OpenBucket } from './s3/backup.ts'
import { ownershipState, reconcileBucket } from './s3/backup.ts'

/** The wait until a new bucket is read again, in ms. */
const visibleAfterMs = 5_000

/** Executes one step towards the bucket that an object asks for. */
export const reconcileBackupBucket = async (
  open: OpenBucket,
  step: StepContext<BackupBucket>,
): Promise<StepResult> => {
  const desired = desiredBucket(step.object)
  const outcome = await reconcileBucket(await open(requestOf(step)), desired)
  if (outcome.kind === 'not-visible') {
    return continueAfter(visibleAfterMs, 50, `Waiting until S3 shows the new bucket ${desired.name}`)
  }
  if (outcome.actions.length > 0) {
    step.log.info('bucket differs', { actions: outcome.actions.map(({ sentence }) => sentence) })
  }
  return done({ state: ownershipState })
}
