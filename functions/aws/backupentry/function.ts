import { backupEntryFlow, backupEntryPermissions } from '../../../shared/backup-entry/backup-entry.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import {
  type Actuator,
  done,
  type StepContext,
  type StepResult,
} from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, coded, connectionOf } from '../../../terraform-free-infra/aws/account/aws.ts'
import {
  type BackupOptions,
  bucketMemoryOf,
  confirmMissing,
  createOpenBucket,
  doubtfulResult,
  type OpenBucket,
  percentOf,
  progressOf,
  progressPatch,
  removePrefix,
  roleArnOf,
  s3Service,
  usualPace,
} from '../backupbucket/s3/backup.ts'
import { checkBackupEntry, placeProblems } from './check.ts'
import { requestOf } from './request.ts'

/** BackupEntries of type `aws`: the Secret for the etcd backups of one shoot. A deletion also deletes its objects. */
export const definition = defineFunction({
  name: 'aws-backupentry',
  kind: 'BackupEntry',
  type: 'aws',
  classes: ['shoot', 'seed', 'garden'],
  permissions: backupEntryPermissions,
  service: s3Service(3),
  create: (_, deps: FunctionDeps<AwsConnection>) =>
    backupEntryActuator({ connection: connectionOf(deps), clock: deps.clock }),
})

/**
 * Reconciles BackupEntries of type `aws` (docs/contract/kinds.md#backupentry): the Secret for the etcd backups of a
 * shoot. A deletion also deletes the shoot's objects in the bucket.
 */
const backupEntryActuator = (deps: BackupOptions): Actuator<BackupEntry> => {
  const open = createOpenBucket(deps)
  return {
    check: checkBackupEntry,
    ...backupEntryFlow({
      addedData,
      removeObjects: (step, prefix) => coded(removeEntryObjects(open, step, prefix)),
    }),
  }
}

/**
 * Returns the data that etcd-backup-restore needs besides the credentials: the region of the bucket, and the role of a
 * workload identity. The token of the identity is not required.
 */
const addedData = async ({
  object,
  secret,
}: Pick<StepContext<BackupEntry>, 'object' | 'secret'>): Promise<Readonly<Record<string, string>>> => {
  const { region } = object.spec
  const isIdentity = secret !== undefined && !secret.data.accessKeyID
  return isIdentity ? { region, roleARN: await roleArnOf(secret) } : { region }
}

/** The wait before the next step continues unfinished work, in ms. */
const nextMs = 1_000

/** The wait after S3 throttled a request, in ms (docs/contract/provider-aws.md#throttling). */
const heldBackMs = 30_000

const removeEntryObjects = async (
  open: OpenBucket,
  step: StepContext<BackupEntry>,
  prefix: string,
): Promise<StepResult> => {
  const { object, clock, log } = step
  const problems = placeProblems(object)
  if (problems.length > 0) {
    // Nothing was ever stored there. A name that is invalid for such a bucket may belong to something else.
    log.warn('such a bucket cannot exist; nothing to delete', { why: formatProblems(problems) })
    return done({ state: null })
  }
  const bucket = await open(requestOf(step))
  const removal = await removePrefix({
    bucket,
    prefix,
    progress: progressOf(object.status?.state),
    ...usualPace,
    clock,
  })
  switch (removal.kind) {
    case 'done': {
      const { deleted, left } = removal
      if (left > 0)
        log.warn('locked objects are left to the lifecycle rules of their bucket', { prefix, deleted, left })
      return done({ state: null })
    }
    case 'no-bucket': {
      // Another object creates the bucket, so it is not known since when it exists.
      const memory = { ...bucketMemoryOf(object.status?.state, step.resumed), owned: true }
      const doubtful = await confirmMissing(bucket, memory, clock.now())
      if (doubtful !== undefined) return doubtfulResult(doubtful)
      log.warn('bucket does not exist; nothing to delete', { bucket: bucket.name })
      return done({ state: null })
    }
    case 'deleting': {
      const { progress, heldBack } = removal
      return {
        kind: 'continue',
        afterMs: heldBack ? heldBackMs : nextMs,
        progress: percentOf(progress),
        description: `Deleting the objects under ${prefix} of bucket ${object.spec.bucketName}: ${progress.deleted} deleted${heldBack ? '; S3 throttles the requests' : ''}`,
        status: { state: progressPatch(progress) },
      }
    }
  }
}
