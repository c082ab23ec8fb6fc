import { backupEntryPermissions } from '../../../shared/backup-entry/backup-entry.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, createRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { backupEntryActuator } from './actuator.ts'
import { backupEntrySettings } from './settings.ts'

/** BackupEntries of type `aws`: the Secret for the etcd backups of one shoot. A deletion also deletes its objects. */
export const definition = defineFunction({
  name: 'aws-backupentry',
  kind: 'BackupEntry',
  type: 'aws',
  classes: ['shoot', 'seed', 'garden'],
  settings: backupEntrySettings,
  permissions: backupEntryPermissions,
  service: {
    reaches: ['public-networks'],
    maxScale: {
      value: 3,
      why: 'S3 limits requests per bucket prefix: more processes would not delete faster.',
    },
    concurrency: {
      value: 20,
      why: 'Steps wait for S3 most of the time, but a deletion holds several thousand names in memory.',
    },
  },
  create: (
    settings,
    {
      clock,
      onRequest,
      connection = { requestHandler: createRequestHandler(), onRequest },
    }: FunctionDeps<AwsConnection>,
  ) => backupEntryActuator({ connection, clock, settings }),
})
