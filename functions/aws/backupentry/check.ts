import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { formatProblems, type Problem } from '../../../shared/decode/problems.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import { bucketNameProblems, checkSecret, regionProblems } from '../backupbucket/s3/backup.ts'

/** Returns the reasons why no bucket of an entry can exist in its region. Empty if one can. */
export const placeProblems = ({ spec }: BackupEntry): readonly Problem[] => [
  ...bucketNameProblems('spec.bucketName', spec.bucketName),
  ...regionProblems('spec.region', spec.region),
]

/** Checks an entry and its Secret by themselves. Throws a `CodedError`. */
export const checkBackupEntry = async ({
  object,
  secret,
}: {
  readonly object: BackupEntry
  readonly secret: Secret | undefined
}): Promise<void> => {
  const problems = placeProblems(object)
  if (problems.length > 0) throw configurationProblem(formatProblems(problems))
  if (secret !== undefined) await checkSecret(secret)
}
