import { fieldErrors } from '../../../../shared/webhooks/admission/admission.ts'
import type { BackupRules } from '../../../../shared/webhooks/garden/garden.ts'
import { decodeBackupBucketConfig, retentionChangeProblems } from '../../backupbucket/s3/rules.ts'

/** Backups in S3 (docs/contract/admission.md#backups). */
export const awsBackups: BackupRules = {
  provider: 'aws',
  kinds: { Secret: 'v1', WorkloadIdentity: 'security.gardener.cloud/v1alpha1' },
  reviewConfig: ({ at, config, former }) => {
    const decoded = decodeBackupBucketConfig(config)
    const was = decodeBackupBucketConfig(former)
    const before = was.ok ? was.retention : undefined
    const problems = decoded.ok ? retentionChangeProblems(before, decoded.retention) : decoded.problems
    const isRemoved = decoded.ok && before?.mode === 'COMPLIANCE' && decoded.retention === undefined
    return {
      errors: fieldErrors(problems, { at, within: config }),
      warnings: isRemoved
        ? [
            `${at}.immutability: without it, new objects are not locked; locked objects stay locked until their retention ends`,
          ]
        : [],
    }
  },
}
