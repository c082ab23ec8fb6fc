import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type BackupDirectorySettings,
  ensureBucketDirectory,
  removeBucketDirectory,
} from './directory/backup-directory.ts'
import { ensureGeneratedSecret, generatedSecretOf, removeGeneratedSecret } from './generated-secret.ts'

/**
 * Reconciles BackupBuckets of type `local` (docs/contract/provider-local.md#backups): a Secret each, and a directory if
 * a volume is mounted for them.
 */
export const backupBucketActuator = ({
  backupDirectory,
}: BackupDirectorySettings): Actuator<BackupBucket> => ({
  reconcile: async step => {
    if (backupDirectory !== '') {
      const outcome = await ensureBucketDirectory(backupDirectory, bucketOf(step.object), step)
      if (outcome === 'changed') step.log.info('directory of the bucket changed', { outcome })
    }
    const secret = generatedSecretOf(step.object)
    if ((await ensureGeneratedSecret(step)) === 'made')
      step.log.info('secret of the bucket created', { generatedSecretRef: secret })
    return done({ generatedSecretRef: secret })
  },
  remove: async step => {
    await removeGeneratedSecret(step)
    if (backupDirectory === '') return done()
    const outcome = await removeBucketDirectory(backupDirectory, bucketOf(step.object), step)
    if (outcome === 'not ours')
      step.log.warn('path of the directory does not belong to the bucket and is retained')
    return done()
  },
})

const bucketOf = ({ metadata: { name }, status }: BackupBucket) => ({
  name,
  wasMade: status?.generatedSecretRef !== undefined,
})
