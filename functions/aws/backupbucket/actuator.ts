import type { BackupBucket } from '../../../shared/contract/objects.ts'
import {
  type Actuator,
  continueAfter,
  done,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { checkBackupBucket } from './check.ts'
import { desiredBucket } from './desired.ts'
import { removeBackupBucket } from './remove.ts'
import { requestOf } from './request.ts'
import {
  type BackupOptions,
  createOpenBucket,
  type DeletionSettings,
  type OpenBucket,
  ownershipState,
  reconcileBucket,
} from './s3/backup.ts'

/** Reconciles BackupBuckets of type `aws` (docs/contract/kinds.md#backupbucket). Each is an S3 bucket. */
export const backupBucketActuator = ({
  settings,
  ...deps
}: BackupOptions & { readonly settings: DeletionSettings }): Actuator<BackupBucket> => {
  const open = createOpenBucket(deps)
  return {
    check: checkBackupBucket,
    reconcile: step => coded(reconcileBackupBucket(open, step)),
    remove: step => coded(removeBackupBucket(open, settings, step)),
  }
}

const coded = (result: Promise<StepResult>): Promise<StepResult> =>
  result.catch((error: unknown) => {
    throw withCodes(error)
  })

/** The wait until a new bucket is read again, in ms. */
const visibleAfterMs = 5_000

const reconcileBackupBucket = async (
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
