import { backupEntryPermissions } from '../../../shared/backup-entry/backup-entry.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { backupEntryActuator } from './actuator.ts'

/** BackupEntries of type `acme`: the backups of one shoot in a bucket. */
export const definition = defineFunction({
  name: 'acme-backupentry',
  kind: 'BackupEntry',
  type: 'acme',
  classes: ['shoot', 'seed', 'garden'],
  permissions: backupEntryPermissions,
  create: () => backupEntryActuator,
})
