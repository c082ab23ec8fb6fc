import type { BackupBucket } from '../../../shared/contract/objects.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import { desiredBucket } from './desired.ts'
import { checkSecret } from './s3/backup.ts'

/** Checks the object and its Secret by themselves. Throws a `CodedError`. */
export const checkBackupBucket = async ({
  object,
  secret,
}: {
  readonly object: BackupBucket
  readonly secret: Secret | undefined
}): Promise<void> => {
  desiredBucket(object)
  if (secret !== undefined) await checkSecret(secret)
}
