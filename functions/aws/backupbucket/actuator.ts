import type { BackupBucket } from '../../../shared/contract/schemas/backup-bucket.ts'
import type { Actuator, StepResult } from '../../../shared/lifecycle/actuator.ts'
import { withCodes } from '../../../terraform-free-infra/aws/errors/with-codes.ts'
import { checkBackupBucket } from './check.ts'
import { type ConnectDeps, createConnect } from './connect.ts'
import { reconcileBackupBucket } from './reconcile.ts'
import { removeBackupBucket } from './remove.ts'
import type { BackupBucketSettings } from './settings.ts'

/** BackupBuckets of type `aws` (docs/contract/kinds.md#backupbucket): a bucket of S3 each. */
export const backupBucketActuator = ({
  settings,
  ...deps
}: ConnectDeps & { readonly settings: BackupBucketSettings }): Actuator<BackupBucket> => {
  const connect = createConnect(deps)
  return {
    check: checkBackupBucket,
    reconcile: step => coded(reconcileBackupBucket(connect, step)),
    remove: step => coded(removeBackupBucket(connect, settings, step)),
  }
}

const coded = (result: Promise<StepResult>): Promise<StepResult> =>
  result.catch((error: unknown) => {
    throw withCodes(error)
  })
