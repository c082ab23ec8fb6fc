import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { createAccess } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import type { S3Bucket } from './bucket/bucket.ts'
import { sdkBucket } from './bucket/sdk-bucket.ts'

export interface BackupOptions {
  readonly connection: AwsConnection
  readonly clock: Clock
}

export interface BucketRequest {
  readonly name: string
  readonly region: string
  readonly secret: Secret | undefined
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
}

/** Throws a `CodedError` if the Secret is invalid. Sends no request to S3. */
export type OpenBucket = (request: BucketRequest) => Promise<S3Bucket>

/** Creates the `OpenBucket` of a process. Connections and workload identity sessions are reused between steps. */
export const createOpenBucket = ({ connection, clock }: BackupOptions): OpenBucket => {
  const open = createAccess(connection, clock)
  return async ({ name, region, secret, signal, throwIfExpired }) => {
    const { settings, secrets } = await open({ secret, region, signal })
    return sdkBucket(settings, { name, throwIfExpired, signal, secrets })
  }
}
