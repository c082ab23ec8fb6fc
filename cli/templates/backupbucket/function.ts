import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { cloudPermissions } from '../cloud/cloud.ts'
import { backupBucketActuator } from './actuator.ts'

/** BackupBuckets of type `acme`: a bucket for the backups of a seed. */
export const definition = defineFunction({
  name: 'acme-backupbucket',
  kind: 'BackupBucket',
  type: 'acme',
  classes: ['shoot', 'seed', 'garden'],
  permissions: cloudPermissions,
  create: () => backupBucketActuator,
})
