import { backupEntryFlow, backupEntryPermissions } from '../../../shared/backup-entry/backup-entry.ts'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { formatProblems, type Problem } from '../../../shared/decode/problems.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import {
  type BackupDirectorySettings,
  backupDirectorySettings,
  directoryNameProblem,
  removeEntryDirectory,
} from '../backupbucket/directory/backup-directory.ts'

/** The directory of the buckets on the etcd nodes (docs/contract/provider-local.md#backups). */
const hostPath = '/etc/gardener/local-backupbuckets'

/**
 * Reconciles BackupEntries of type `local` (docs/contract/provider-local.md#backups): the Secret for the etcd backups
 * of a shoot. A deletion also deletes their directory, if a volume is mounted for it.
 */
const backupEntryActuator = ({ backupDirectory }: BackupDirectorySettings): Actuator<BackupEntry> => ({
  check: ({ object }) => {
    const problems = bucketProblems(object)
    if (problems.length > 0) throw configurationProblem(formatProblems(problems))
  },
  ...backupEntryFlow({
    addedData: () => ({ hostPath }),
    removeObjects: async (step, prefix) => {
      const problems = bucketProblems(step.object)
      if (backupDirectory === '' || problems.length > 0) {
        if (problems.length > 0)
          step.log.warn('such a bucket cannot exist; nothing to delete', { why: formatProblems(problems) })
        return done()
      }
      const place = { bucket: step.object.spec.bucketName, name: prefix.replace(/\/$/, '') }
      if ((await removeEntryDirectory(backupDirectory, place, step)) === 'not ours')
        step.log.warn('path of the backups is not a directory and is retained', {
          bucket: place.bucket,
          path: place.name,
        })
      return done()
    },
  }),
})

const bucketProblems = ({ spec }: BackupEntry): readonly Problem[] => {
  const problem = directoryNameProblem('spec.bucketName', spec.bucketName)
  return problem === undefined ? [] : [problem]
}

/**
 * BackupEntries of type `local`: the Secret for the etcd backups of one shoot. A deletion also deletes their directory.
 */
export const definition = defineFunction({
  name: 'local-backupentry',
  kind: 'BackupEntry',
  type: 'local',
  classes: ['shoot', 'garden'],
  settings: backupDirectorySettings,
  permissions: backupEntryPermissions,
  service: { maxScale: { value: 1, why: 'A volume may be mountable by only one process.' } },
  create: backupEntryActuator,
})
