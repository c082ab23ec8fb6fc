import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, keepAliveHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { backupBucketActuator } from './actuator.ts'
import { backupBucketSettings } from './settings.ts'

/** BackupBuckets of type `aws`: the buckets for the backups of a seed. */
export const definition = defineFunction({
  name: 'aws-backupbucket',
  kind: 'BackupBucket',
  type: 'aws',
  classes: ['shoot', 'seed', 'garden'],
  settings: backupBucketSettings,
  permissions: [],
  service: {
    reaches: ['public-networks'],
    maxScale: {
      value: 2,
      why: 'S3 counts requests by the prefix of a bucket: more processes delete nothing sooner.',
    },
    concurrency: {
      value: 20,
      why: 'Steps wait for S3 nearly all of their time, but a deletion holds some thousand names in memory.',
    },
  },
  create: (
    settings,
    {
      clock,
      onRequest,
      connection = { requestHandler: keepAliveHandler(), onRequest },
    }: FunctionDeps<AwsConnection>,
  ) => backupBucketActuator({ connection, clock, settings }),
})
