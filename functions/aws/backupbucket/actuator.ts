import type { BackupBucket } from '../../../shared/contract/objects.ts'
import type { Actuator, StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import { withCodes } from '../../../terraform-free-infra/aws/account/aws.ts'
import { checkBackupBucket } from './check.ts'
import { reconcileBackupBucket } from './reconcile.ts'
import { removeBackupBucket } from './remove.ts'
import { type BackupOptions, createOpenBucket } from './s3/backup.ts'
import type { BackupBucketSettings } from './settings.ts'

/** Reconciles BackupBuckets of type `aws` (docs/contract/kinds.md#backupbucket). Each is an S3 bucket. */
export const backupBucketActuator = ({
  settings,
  ...deps
}: BackupOptions & { readonly settings: BackupBucketSettings }): Actuator<BackupBucket> => {
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
