import type { Clock } from '../../../shared/clock/clock.ts'
import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { StepContext } from '../../../shared/lifecycle/actuator.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/aws.ts'
import { createAccess } from '../../../terraform-free-infra/aws/credentials/access.ts'
import type { AwsCloud } from '../../../terraform-free-infra/aws/infrastructure/cloud.ts'
import { sdkCloud } from '../../../terraform-free-infra/aws/infrastructure/sdk-cloud.ts'

export interface InfrastructureDeps {
  readonly connection: AwsConnection
  readonly clock: Clock
}

/** AWS with the credentials of one object, for one step. Throws a `CodedError` when the Secret is no good. */
export type ConnectAws = (
  step: Pick<StepContext<Infrastructure>, 'object' | 'secret' | 'signal' | 'throwIfExpired'>,
) => Promise<AwsCloud>

/** Makes the `Connect` of a process: connections and sessions outlive the steps. */
export const createConnect = ({ connection, clock }: InfrastructureDeps): ConnectAws => {
  const open = createAccess(connection, clock)
  return async ({ object, secret, signal, throwIfExpired }) => {
    const { settings, secrets } = await open({ secret, region: object.spec.region, signal })
    return sdkCloud(settings, { throwIfExpired, signal, secrets })
  }
}
