import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { workerFlow, workerPermissions, workerService } from '../../../shared/worker/worker.ts'
import { workerHealth } from './health.ts'
import { localMachines } from './machines.ts'

/**
 * Workers of type `local`: MachineClasses and MachineDeployments for a machine controller that runs machines as pods.
 */
export const definition = defineFunction({
  name: 'local-worker',
  kind: 'Worker',
  type: 'local',
  classes: ['shoot'],
  permissions: workerPermissions,
  health: workerHealth,
  service: workerService,
  create: () => workerFlow(localMachines),
})
