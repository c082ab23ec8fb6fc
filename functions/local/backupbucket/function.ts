import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { backupBucketActuator } from './actuator.ts'
import { backupDirectorySettings } from './directory/backup-directory.ts'

/** BackupBuckets of type `local`: Secrets, and directories if a volume is mounted for them. */
export const definition = defineFunction({
  name: 'local-backupbucket',
  kind: 'BackupBucket',
  type: 'local',
  classes: ['shoot', 'garden'],
  settings: backupDirectorySettings,
  permissions: [
    {
      resource: secrets,
      verbs: ['create', 'delete'],
      why: 'The Secret of a bucket, which BackupEntries read.',
    },
  ],
  service: {
    maxScale: { value: 1, why: 'A volume may be mountable by only one process.' },
  },
  create: backupBucketActuator,
})
