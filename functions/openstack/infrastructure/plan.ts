import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import { withErrorCodes } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import {
  createInfrastructure,
  type InfrastructurePlan,
} from '../../../terraform-free-infra/openstack/infrastructure/infrastructure.ts'
import { type OpenStackPlanInput, refuseWrites } from '../provider/openstack-plan-input.ts'
import { requestOf } from './actuator.ts'

export interface InfrastructurePlanInput extends OpenStackPlanInput<Infrastructure> {
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
}: InfrastructurePlanInput): Promise<InfrastructurePlan> => {
  const work = async () => {
    const step = createInfrastructure({ connection, clock })(
      requestOf({ ...input, throwIfExpired: refuseWrites }),
    )
    if (!destroy) await step.validate({ resumed: false })
    return step.plan({ destroy })
  }
  return withErrorCodes(work())
}
