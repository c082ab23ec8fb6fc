import type { BackupEntry } from '../../../shared/contract/objects.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import { roleArnOf } from '../backupbucket/s3/backup.ts'

/**
 * Returns the data that etcd-backup-restore needs besides the credentials: the region of the bucket, and the role of a
 * workload identity. The token of the identity is not required.
 */
export const addedData = async ({
  object,
  secret,
}: Pick<StepContext<BackupEntry>, 'object' | 'secret'>): Promise<Readonly<Record<string, string>>> => {
  const { region } = object.spec
  const isIdentity = secret !== undefined && !secret.data.accessKeyID
  return isIdentity ? { region, roleARN: await roleArnOf(secret) } : { region }
}
