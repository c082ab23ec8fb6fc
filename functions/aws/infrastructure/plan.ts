import type { Clock } from '../../../shared/clock/clock.ts'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/account/aws.ts'
import {
  type AwsCloud,
  checkInfrastructure,
  createInfrastructure,
  withErrorCodes,
} from '../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import type { Plan } from '../../../terraform-free-infra/engine/engine.ts'
import { requestOf } from './actuator.ts'

export interface InfrastructurePlanInput {
  readonly object: Infrastructure
  readonly cluster: Cluster | undefined
  readonly secret: Secret
  readonly connection: AwsConnection
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Plans the deletion instead of reconciling. */
  readonly destroy?: boolean
}

/**
 * Returns the plan that the next step of the function would apply to an object. Reads only. Throws the errors that the
 * step would throw before its first change.
 */
export const planInfrastructure = ({
  connection,
  clock,
  destroy = false,
  ...input
}: InfrastructurePlanInput): Promise<Plan<AwsCloud>> => {
  const work = async () => {
    const step = createInfrastructure({ connection, clock })(requestOf({ ...input, throwIfExpired: refuse }))
    if (!destroy) {
      await checkInfrastructure({ ...input.object.spec, secret: input.secret })
      await step.validate({ resumed: false })
    }
    return step.plan({ destroy })
  }
  return withErrorCodes(work())
}

const refuse = (): never => {
  throw new Error('a plan must not change anything')
}
