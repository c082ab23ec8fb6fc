import { CodedError } from '../../../shared/contract/errors.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/contract/problems.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import {
  bucketNameProblems,
  checkSecret,
  regionProblems,
} from '../../../terraform-free-infra/aws/backup/backup.ts'

/** Everything that can be wrong with an entry and its Secret by themselves. Throws a `CodedError`. */
export const checkBackupEntry = async ({
  object,
  secret,
}: {
  readonly object: BackupEntry
  readonly secret: Secret | undefined
}): Promise<void> => {
  const problems = [
    ...bucketNameProblems('spec.bucketName', object.spec.bucketName),
    ...regionProblems('spec.region', object.spec.region),
  ]
  if (problems.length > 0) {
    throw new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  }
  if (secret !== undefined) await checkSecret(secret)
}
