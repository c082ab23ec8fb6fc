import type { Clock } from '../../../shared/clock/clock.ts'
import type { BackupEntry } from '../../../shared/contract/schemas/backup-entry.ts'
import type { StepContext } from '../../../shared/lifecycle/actuator.ts'
import { type Bucket, sdkBucket } from '../../../terraform-free-infra/aws/backup/backup.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/client/client-settings.ts'
import { createAccess } from '../../../terraform-free-infra/aws/credentials/access.ts'

export interface ConnectDeps {
  readonly connection: AwsConnection
  readonly clock: Clock
}

/** The bucket that an entry is in, for one step. Throws a `CodedError` when the Secret is no good. */
export type ConnectBucket = (
  step: Pick<StepContext<BackupEntry>, 'object' | 'secret' | 'signal' | 'throwIfExpired'>,
) => Promise<Bucket>

/** Makes the `ConnectBucket` of a process: connections and sessions outlive the steps. */
export const createConnect = ({ connection, clock }: ConnectDeps): ConnectBucket => {
  const open = createAccess(connection, clock)
  return async ({ object, secret, signal, throwIfExpired }) => {
    const { settings, secrets } = await open({ secret, region: object.spec.region, signal })
    return sdkBucket(settings, { name: object.spec.bucketName, throwIfExpired, signal, secrets })
  }
}
