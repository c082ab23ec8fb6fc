import type { Clock } from '../../../shared/clock/clock.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import type { OpenStackConnection } from '../../../terraform-free-infra/openstack/account/openstack.ts'

/** The input of a plan for an object of one kind. */
export interface OpenStackPlanInput<O> {
  readonly object: O
  readonly secret: Secret
  readonly connection: OpenStackConnection
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Plans the deletion instead of reconciling. */
  readonly destroy?: boolean
}

/** The `throwIfExpired` of a plan: refuses every write. */
export const refuseWrites = (): never => {
  throw new Error('a plan must not change anything')
}
