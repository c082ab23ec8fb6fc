import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, connectionOf } from '../../../terraform-free-infra/aws/account/aws.ts'
import { backupBucketActuator } from './actuator.ts'
import { s3Service } from './s3/backup.ts'

/** BackupBuckets of type `aws`: the buckets for the backups of a seed. */
export const definition = defineFunction({
  name: 'aws-backupbucket',
  kind: 'BackupBucket',
  type: 'aws',
  classes: ['shoot', 'seed', 'garden'],
  permissions: [],
  service: s3Service(2),
  create: (_, deps: FunctionDeps<AwsConnection>) =>
    backupBucketActuator({ connection: connectionOf(deps), clock: deps.clock }),
})
