import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, connectionOf } from '../../../terraform-free-infra/aws/account/aws.ts'
import { backupBucketActuator } from './actuator.ts'

/** BackupBuckets of type `aws`: the buckets for the backups of a seed. */
export const definition = defineFunction({
  name: 'aws-backupbucket',
  kind: 'BackupBucket',
  type: 'aws',
  classes: ['shoot', 'seed', 'garden'],
  permissions: [],
  service: {
    reaches: ['public-networks'],
    maxScale: {
      value: 2,
      why: 'S3 limits requests per bucket prefix: more processes would not delete faster.',
    },
    concurrency: {
      value: 20,
      why: 'Steps wait for S3 most of the time, but a deletion holds several thousand names in memory.',
    },
  },
  create: (_, deps: FunctionDeps<AwsConnection>) =>
    backupBucketActuator({ connection: connectionOf(deps), clock: deps.clock }),
})
