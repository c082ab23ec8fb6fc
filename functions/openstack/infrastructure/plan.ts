import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import { type CloudPlanInput, refuseWrites } from '../../../shared/lifecycle/lifecycle.ts'
import type { InfrastructurePlan } from '../../../terraform-free-infra/cloud/infrastructure.ts'
import {
  type OpenStackAccess,
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { createInfrastructure } from '../../../terraform-free-infra/openstack/infrastructure/infrastructure.ts'
import { requestOf } from './actuator.ts'

export interface InfrastructurePlanInput extends CloudPlanInput<Infrastructure, OpenStackConnection> {
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
}: InfrastructurePlanInput): Promise<InfrastructurePlan<OpenStackAccess>> => {
  const work = async () => {
    const step = createInfrastructure({ connection, clock })(
      requestOf({ ...input, throwIfExpired: refuseWrites }),
    )
    if (!destroy) await step.validate({ resumed: false })
    return step.plan({ destroy })
  }
  return withErrorCodes(work())
}
