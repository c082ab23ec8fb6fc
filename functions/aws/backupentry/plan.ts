import { parseEntryName } from '../../../shared/backup-entry/backup-entry.ts'
import type { BackupEntry } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, coded } from '../../../terraform-free-infra/aws/account/aws.ts'
import { createOpenBucket, unlessBucketMissing } from '../backupbucket/s3/backup.ts'
import { checkBackupEntry, placeProblems } from './check.ts'
import { requestOf } from './request.ts'

export interface PlannedEntryAction {
  readonly kind: 'delete'
  readonly sentence: string
  /** Object versions and delete markers. `more` is true if more exist than were counted. */
  readonly objects: { readonly count: number; readonly more: boolean }
}

export interface EntryPlan {
  /** Empty for a reconcile: an entry creates only a Secret in the seed. */
  readonly actions: readonly PlannedEntryAction[]
}

/**
 * Returns the changes that the next step of the function would make in S3. Reads only. Throws the errors that the step
 * would throw.
 */
export const planBackupEntry = async (
  input: CloudPlanInput<BackupEntry, AwsConnection>,
): Promise<EntryPlan> => {
  if (input.destroy) return { actions: await coded(deletionOf(input)) }
  await coded(checkBackupEntry(input))
  return { actions: [] }
}

const deletionOf = async ({
  object,
  secret,
  connection,
  clock,
  signal,
}: CloudPlanInput<BackupEntry, AwsConnection>): Promise<readonly PlannedEntryAction[]> => {
  if (placeProblems(object).length > 0) return []
  const { prefix } = parseEntryName(object.metadata.name)
  const bucket = await createOpenBucket({ connection, clock })(
    requestOf({ object, secret, signal, throwIfExpired: refuseWrites }),
  )
  const page = await unlessBucketMissing(bucket.listVersions({ prefix, after: undefined }))
  const count = page?.versions.length ?? 0
  if (page === undefined || count === 0) return []
  const more = page.next !== undefined
  const what = `${more ? 'more than ' : ''}${count} object ${count === 1 ? 'version' : 'versions'}`
  return [
    {
      kind: 'delete',
      sentence: `delete ${what} under ${prefix} of bucket ${bucket.name}`,
      objects: { count, more },
    },
  ]
}
