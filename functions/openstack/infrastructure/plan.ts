import type { Clock } from '../../../shared/clock/clock.ts'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import type { Plan } from '../../../terraform-free-infra/engine/engine.ts'
import {
  type OpenStackAccess,
  type OpenStackConnection,
  withErrorCodes,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { createInfrastructure } from '../../../terraform-free-infra/openstack/infrastructure/infrastructure.ts'
import { requestOf } from './actuator.ts'

export interface InfrastructurePlanInput {
  readonly object: Infrastructure
  readonly cluster: Cluster | undefined
  readonly secret: Secret
  readonly connection: OpenStackConnection
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
}: InfrastructurePlanInput): Promise<Plan<OpenStackAccess>> => {
  const work = async () => {
    const step = createInfrastructure({ connection, clock })(
      requestOf({
        ...input,
        throwIfExpired: () => {
          throw new Error('a plan must not change anything')
        },
      }),
    )
    if (!destroy) await step.validate({ resumed: false })
    return step.plan({ destroy })
  }
  return withErrorCodes(work())
}
