import * as z from 'zod'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type Account, addBucket } from './simulator/aws.ts'

const entry = z.object({ spec: z.object({ bucketName: z.string().min(1), region: z.string().min(1) }) })

/** Adds the bucket of a BackupEntry to the account. Ignores other objects. */
export const giveBucketOf = (
  account: Pick<Account, 'state'>,
  object: KubernetesObject,
  clock: Clock,
): void => {
  const parsed = object.kind === 'BackupEntry' ? entry.safeParse(object).data : undefined
  if (parsed === undefined) return
  const { bucketName, region } = parsed.spec
  addBucket(account, { name: bucketName, region }, clock)
}
