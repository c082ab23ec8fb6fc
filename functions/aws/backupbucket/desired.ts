import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { formatProblems, type Problem } from '../../../shared/decode/problems.ts'
import {
  bucketNameProblems,
  type DesiredBucket,
  decodeBackupBucketConfig,
  regionProblems,
} from './s3/backup.ts'

/** Returns the reasons why no bucket of this name can exist in the region. Empty if one can. */
export const placeProblems = ({ metadata: { name }, spec }: BackupBucket): readonly Problem[] => [
  ...bucketNameProblems('metadata.name', name),
  ...regionProblems('spec.region', spec.region),
]

/** Returns the bucket that an object asks for. Throws a `CodedError` that names every invalid field. */
export const desiredBucket = (object: BackupBucket): DesiredBucket => {
  const { metadata, spec } = object
  const config = decodeBackupBucketConfig(spec.providerConfig)
  const problems: readonly Problem[] = [
    ...placeProblems(object),
    ...(config.ok ? [] : config.problems.map(inConfig)),
  ]
  if (problems.length > 0 || !config.ok) throw configurationProblem(formatProblems(problems))
  return { name: metadata.name, region: spec.region, retention: config.retention }
}

const inConfig = ({ path, message }: Problem): Problem => ({
  path: path === '' ? 'spec.providerConfig' : `spec.providerConfig.${path}`,
  message,
})
