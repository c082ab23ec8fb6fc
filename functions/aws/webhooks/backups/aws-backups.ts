import type { Problem } from '../../../../shared/decode/problems.ts'
import { valueAt } from '../../../../shared/decode/record-of.ts'
import { when } from '../../../../shared/lists/when.ts'
import {
  fieldErrors,
  type Reviewer,
  type ReviewOutcome,
  refusedFor,
} from '../../../../shared/webhooks/admission/admission.ts'
import { isAbsent } from '../../../../shared/webhooks/garden/garden.ts'
import {
  type BucketRetention,
  decodeBackupBucketConfig,
  retentionChangeProblems,
} from '../../backupbucket/s3/rules.ts'

const provider = 'aws'

/** Validates the backup of a Seed. Ignores backups in another cloud. */
export const validateSeed: Reviewer = ({ object, oldObject }) => {
  const backup = valueAt(object, 'spec', 'backup')
  const of = valueAt(backup, 'provider')
  if (isAbsent(backup) || (!isAbsent(of) && of !== provider)) return {}
  return judge('spec.backup', backup, valueAt(oldObject, 'spec', 'backup'))
}

/** Validates a BackupBucket of the garden, which Gardener creates from the backup of a Seed. */
export const validateBackupBucket: Reviewer = ({ object, oldObject }) =>
  judge('spec', object.spec, oldObject?.spec)

/** The checks that both share (docs/contract/admission.md#backups). */
const judge = (place: string, backup: unknown, former: unknown): ReviewOutcome => {
  const config = valueAt(backup, 'providerConfig')
  const decoded = decodeBackupBucketConfig(config)
  const was = decodeBackupBucketConfig(valueAt(former, 'providerConfig'))
  const before = was.ok ? was.retention : undefined
  const problems = [...(decoded.ok ? retentionChangeProblems(before, decoded.retention) : decoded.problems)]
  const outcome = refusedFor([
    ...fieldErrors(referenceProblems(valueAt(backup, 'credentialsRef')), { at: place, within: backup }),
    ...fieldErrors(problems, { at: `${place}.providerConfig`, within: config }),
  ])
  const warning = decoded.ok ? removalWarning(place, before, decoded.retention) : undefined
  return outcome.refused !== undefined || warning === undefined
    ? outcome
    : { ...outcome, warnings: [warning] }
}

const kinds: Readonly<Record<string, string>> = {
  Secret: 'v1',
  WorkloadIdentity: 'security.gardener.cloud/v1alpha1',
}

const referenceProblems = (reference: unknown): readonly Problem[] => {
  const path = 'credentialsRef'
  if (isAbsent(reference)) {
    const message = 'expected a reference to a Secret or WorkloadIdentity, found nothing'
    return [{ path, message, kind: 'required' }]
  }
  const version = kinds[String(valueAt(reference, 'kind'))]
  return when(version === undefined || version !== valueAt(reference, 'apiVersion'), {
    path,
    message: 'expected a v1 Secret or a security.gardener.cloud/v1alpha1 WorkloadIdentity',
    kind: 'unsupported',
  })
}

const removalWarning = (
  place: string,
  before: BucketRetention | undefined,
  after: BucketRetention | undefined,
): string | undefined =>
  before?.mode === 'COMPLIANCE' && after === undefined
    ? `${place}.providerConfig.immutability: without it, new objects are not locked; locked objects stay locked until their retention ends`
    : undefined
