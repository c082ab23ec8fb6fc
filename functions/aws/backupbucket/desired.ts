import { CodedError } from '../../../shared/contract/errors.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { formatProblems, type Problem } from '../../../shared/contract/problems.ts'
import {
  bucketNameProblems,
  type DesiredBucket,
  decodeBackupBucketConfig,
  regionProblems,
} from './s3/backup.ts'

/** Why there can be no bucket of an object's name in its region; nothing where there can. */
export const placeProblems = ({ metadata: { name }, spec }: BackupBucket): readonly Problem[] => [
  ...bucketNameProblems('metadata.name', name),
  ...regionProblems('spec.region', spec.region),
]

/** The bucket that an object asks for. Throws a `CodedError` that names every field that is wrong. */
export const desiredBucket = (object: BackupBucket): DesiredBucket => {
  const { metadata, spec } = object
  const config = decodeBackupBucketConfig(spec.providerConfig)
  const problems: readonly Problem[] = [
    ...placeProblems(object),
    ...(config.ok ? [] : config.problems.map(inConfig)),
  ]
  if (problems.length > 0 || !config.ok) {
    throw new CodedError(formatProblems(problems), { codes: ['ERR_CONFIGURATION_PROBLEM'] })
  }
  return { name: metadata.name, region: spec.region, retention: config.retention }
}

const inConfig = ({ path, message }: Problem): Problem => ({
  path: path === '' ? 'spec.providerConfig' : `spec.providerConfig.${path}`,
  message,
})
