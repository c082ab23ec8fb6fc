import { machinesCheck } from '../../../shared/health/health.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { workerPermissions } from '../../../shared/worker/worker.ts'
import { workerActuator } from './actuator.ts'

/** Workers of type `acme`: machines, created by the machine controller. */
export const definition = defineFunction({
  name: 'acme-worker',
  kind: 'Worker',
  type: 'acme',
  classes: ['shoot'],
  permissions: workerPermissions,
  // gardenlet copies the condition to the Shoot.
  health: { conditions: [{ type: 'EveryNodeReady', checks: [machinesCheck()] }] },
  create: () => workerActuator,
})
