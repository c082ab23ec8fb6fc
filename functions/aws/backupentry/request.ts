import type { BackupEntry } from '../../../shared/contract/objects.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { BucketRequest } from '../backupbucket/s3/backup.ts'

export const requestOf = ({
  object,
  secret,
  signal,
  throwIfExpired,
}: Pick<StepContext<BackupEntry>, 'object' | 'secret' | 'signal' | 'throwIfExpired'>): BucketRequest => ({
  name: object.spec.bucketName,
  region: object.spec.region,
  secret,
  signal,
  throwIfExpired,
})
