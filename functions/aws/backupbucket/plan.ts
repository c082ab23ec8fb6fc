import type { BackupBucket } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import { type AwsConnection, coded } from '../../../terraform-free-infra/aws/account/aws.ts'
import { checkBackupBucket } from './check.ts'
import { desiredBucket, placeProblems } from './desired.ts'
import { requestOf } from './request.ts'
import {
  type BucketAction,
  bucketMemoryOf,
  createOpenBucket,
  mayBeOurs,
  observeBucket,
  planBucket,
  unlessBucketMissing,
  unlessNotOurs,
} from './s3/backup.ts'

/** A change in S3: a write, or the deletion of the bucket with its content. */
export type PlannedBucketAction =
  | BucketAction
  | {
      readonly kind: 'delete'
      readonly sentence: string
      /** Object versions and delete markers. `more` is true if more exist than were counted. */
      readonly objects: { readonly count: number; readonly more: boolean }
    }

export interface BucketPlan {
  readonly actions: readonly PlannedBucketAction[]
}

/**
 * Returns the changes that the next step of the function would make in S3, from the same reads and checks. Reads only.
 * Throws the errors that the step would throw before its first change.
 */
export const planBackupBucket = async (
  input: CloudPlanInput<BackupBucket, AwsConnection>,
): Promise<BucketPlan> => ({ actions: await coded(actionsOf(input)) })

const actionsOf = async ({
  object,
  secret,
  connection,
  clock,
  signal,
  destroy = false,
}: CloudPlanInput<BackupBucket, AwsConnection>): Promise<readonly PlannedBucketAction[]> => {
  if (!destroy) await checkBackupBucket({ object, secret })
  else if (placeProblems(object).length > 0) return []
  const bucket = await createOpenBucket({ connection, clock })(
    requestOf({ object, secret, signal, throwIfExpired: refuseWrites }),
  )
  const observed = observeBucket(bucket)
  if (!destroy) return planBucket(desiredBucket(object), await observed)
  const unlessNothing = mayBeOurs(bucketMemoryOf(object.status?.state)) ? unlessBucketMissing : unlessNotOurs
  if ((await unlessNothing(observed)) === undefined) return []
  const { versions, next } = await bucket.listVersions({ prefix: '', after: undefined })
  const objects = { count: versions.length, more: next !== undefined }
  return [{ kind: 'delete', sentence: `delete bucket ${bucket.name}${contentText(objects)}`, objects }]
}

const contentText = ({ count, more }: { readonly count: number; readonly more: boolean }): string => {
  if (count === 0) return ''
  return ` with ${more ? 'more than ' : ''}${count} object ${count === 1 ? 'version' : 'versions'}`
}
