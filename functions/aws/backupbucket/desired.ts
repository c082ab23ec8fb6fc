import { CodedError } from '../../../shared/contract/errors.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { formatProblems, type Problem } from '../../../shared/contract/problems.ts'
import {
  bucketNameProblems,
  type DesiredBucket,
  decodeBackupBucketConfig,
  regionProblems,
} from '../../../terraform-free-infra/aws/backup/backup.ts'

/** The bucket that an object asks for. Throws a `CodedError` that names every field that is wrong. */
export const desiredBucket = ({ metadata: { name }, spec }: BackupBucket): DesiredBucket => {
  const config = decodeBackupBucketConfig(spec.providerConfig)
  const problems: readonly Problem[] = [
    ...bucketNameProblems('metadata.name', name),
    ...regionProblems('spec.region', spec.region),
    ...(config.ok ? [] : config.problems.map(inConfig)),
  ]
  if (problems.length > 0 || !config.ok) {
    throw new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  }
  return { name, region: spec.region, retention: config.retention }
}

const inConfig = ({ path, message }: Problem): Problem => ({
  path: path === '' ? 'spec.providerConfig' : `spec.providerConfig.${path}`,
  message,
})
