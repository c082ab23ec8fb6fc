import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/account/aws.ts'
import {
  type AwsCloud,
  checkInfrastructure,
  createInfrastructure,
  withErrorCodes,
} from '../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import type { Plan } from '../../../terraform-free-infra/engine/engine.ts'
import { requestOf } from './actuator.ts'

export interface InfrastructurePlanInput extends CloudPlanInput<Infrastructure, AwsConnection> {
  readonly cluster: Cluster | undefined
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
    const step = createInfrastructure({ connection, clock })(
      requestOf({ ...input, throwIfExpired: refuseWrites }),
    )
    if (!destroy) {
      await checkInfrastructure({ ...input.object.spec, secret: input.secret })
      await step.validate({ resumed: false })
    }
    return step.plan({ destroy })
  }
  return withErrorCodes(work())
}
