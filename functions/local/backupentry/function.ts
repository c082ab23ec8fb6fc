import { backupEntryPermissions } from '../../../shared/backup-entry/backup-entry.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { backupEntryActuator } from './actuator.ts'
import { backupEntrySettings } from './settings.ts'

/**
 * BackupEntries of type `local`: the Secret for the etcd backups of one shoot. A deletion also deletes their directory.
 */
export const definition = defineFunction({
  name: 'local-backupentry',
  kind: 'BackupEntry',
  type: 'local',
  classes: ['shoot', 'garden'],
  settings: backupEntrySettings,
  permissions: backupEntryPermissions,
  service: {
    maxScale: { value: 1, why: 'A volume may be mountable by only one process.' },
  },
  create: backupEntryActuator,
})
