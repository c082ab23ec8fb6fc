import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import { type Actuator, done, type StepResult } from '../../../shared/lifecycle/actuator.ts'
import { withErrorCodes } from '../../../terraform-free-infra/aws/infrastructure/with-error-codes.ts'
import { checkInfrastructure } from './check.ts'
import { createConnect, type InfrastructureDeps } from './connect.ts'
import { createPlanContexts } from './plan-context.ts'
import { reconcileInfrastructure, removeInfrastructure } from './reconcile.ts'
import { validateInfrastructure } from './validate.ts'

/**
 * Infrastructures of type `aws` (docs/contract/kinds.md#infrastructure and
 * docs/contract/provider-aws.md#infrastructure). Restoring is reconciling with the state that came along, and
 * migrating leaves everything where it is: the lifecycle's defaults. A forced deletion leaves it too.
 */
export const infrastructureActuator = ({
  waitScale = 1,
  ...deps
}: InfrastructureDeps & {
  /** Factor on the waits between steps; 1 is what AWS needs. */
  readonly waitScale?: number | undefined
}): Actuator<Infrastructure> => {
  const connect = createConnect(deps)
  const planContextOf = createPlanContexts(connect)
  const atPace = async (work: Promise<StepResult>): Promise<StepResult> => {
    const result = await work
    return result.kind === 'continue' ? { ...result, afterMs: result.afterMs * waitScale } : result
  }
  return {
    check: checkInfrastructure,
    validate: step => withErrorCodes(validateInfrastructure(planContextOf, step)),
    reconcile: step => withErrorCodes(atPace(reconcileInfrastructure(planContextOf, step))),
    remove: step => withErrorCodes(atPace(removeInfrastructure(connect, step))),
    forceRemove: async () => done(),
  }
}
