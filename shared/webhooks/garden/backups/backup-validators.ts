import type { Problem } from '../../../decode/problems.ts'
import { valueAt } from '../../../decode/record-of.ts'
import { when } from '../../../lists/when.ts'
import { fieldErrors, type Reviewer, type ReviewOutcome, refusedFor } from '../../admission/admission.ts'
import { isAbsent } from '../json.ts'

/** How a provider checks backups. */
export interface BackupRules {
  /** `aws` */
  readonly provider: string
  /** The versions of the kinds that `credentialsRef` may name, by kind. */
  readonly kinds: Readonly<Record<string, string>>
  /** Checks the `providerConfig` of a backup. Default: allows any. */
  readonly reviewConfig?: (change: ConfigChange) => ReviewedConfig
}

interface ConfigChange {
  /** `spec.backup.providerConfig` */
  readonly at: string
  readonly config: unknown
  readonly former: unknown
}

interface ReviewedConfig {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Returns a validator of the backup of a Seed (docs/contract/admission.md#backups). It ignores backups in another
 * cloud.
 */
export const seedValidator =
  (rules: BackupRules): Reviewer =>
  ({ object, oldObject }) => {
    const backup = valueAt(object, 'spec', 'backup')
    const of = valueAt(backup, 'provider')
    if (isAbsent(backup) || (!isAbsent(of) && of !== rules.provider)) return {}
    return judge(rules, 'spec.backup', backup, valueAt(oldObject, 'spec', 'backup'))
  }

/** Returns a validator of BackupBuckets of the garden, which Gardener creates from the backup of a Seed. */
export const backupBucketValidator =
  (rules: BackupRules): Reviewer =>
  ({ object, oldObject }) =>
    judge(rules, 'spec', object.spec, oldObject?.spec)

const judge = (rules: BackupRules, place: string, backup: unknown, former: unknown): ReviewOutcome => {
  const { errors, warnings } = rules.reviewConfig?.({
    at: `${place}.providerConfig`,
    config: valueAt(backup, 'providerConfig'),
    former: valueAt(former, 'providerConfig'),
  }) ?? { errors: [], warnings: [] }
  const references = referenceProblems(valueAt(backup, 'credentialsRef'), rules.kinds)
  const outcome = refusedFor([...fieldErrors(references, { at: place, within: backup }), ...errors])
  return outcome.refused !== undefined || warnings.length === 0 ? outcome : { ...outcome, warnings }
}

const referenceProblems = (reference: unknown, kinds: BackupRules['kinds']): readonly Problem[] => {
  const path = 'credentialsRef'
  if (isAbsent(reference)) {
    const message = `expected a reference to a ${Object.keys(kinds).join(' or ')}, found nothing`
    return [{ path, message, kind: 'required' }]
  }
  const kind = String(valueAt(reference, 'kind'))
  const version = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  const known = Object.entries(kinds).map(([name, of]) => `a ${of} ${name}`)
  return when(version === undefined || version !== valueAt(reference, 'apiVersion'), {
    path,
    message: `expected ${known.join(' or ')}`,
    kind: 'unsupported',
  })
}
