import type { BackupBucket } from '../../../shared/contract/objects.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { BucketRequest } from './s3/backup.ts'

/** The bucket of a BackupBucket. It has the name of the object. */
export const requestOf = ({
  object,
  secret,
  signal,
  throwIfExpired,
}: Pick<StepContext<BackupBucket>, 'object' | 'secret' | 'signal' | 'throwIfExpired'>): BucketRequest => ({
  name: object.metadata.name,
  region: object.spec.region,
  secret,
  signal,
  throwIfExpired,
})
