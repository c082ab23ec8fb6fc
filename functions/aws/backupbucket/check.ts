import type { BackupBucket } from '../../../shared/contract/schemas/backup-bucket.ts'
import type { Secret } from '../../../shared/lifecycle/actuator.ts'
import { readCredentials } from '../../../terraform-free-infra/aws/credentials/read-credentials.ts'
import { desiredBucket } from './desired.ts'

/** Everything that can be wrong with an object and its Secret by themselves. Throws a `CodedError`. */
export const checkBackupBucket = async ({
  object,
  secret,
}: {
  readonly object: BackupBucket
  readonly secret: Secret | undefined
}): Promise<void> => {
  desiredBucket(object)
  if (secret !== undefined) await readCredentials(secret)
}
