import { defineFunction } from '../../../shared/runtime/define-function.ts'
import {
  gardenOptions,
  gardenSettings,
  workerFlow,
  workerPermissions,
  workerService,
} from '../../../shared/worker/worker.ts'
import { awsMachines } from './aws-machines.ts'
import { workerHealth } from './health.ts'

/** Workers of type `aws`: MachineClasses and MachineDeployments for the machine controller, which calls AWS. */
export const definition = defineFunction({
  name: 'aws-worker',
  kind: 'Worker',
  type: 'aws',
  classes: ['shoot'],
  settings: gardenSettings,
  permissions: workerPermissions,
  health: workerHealth,
  service: workerService,
  create: (settings, { clock }) => workerFlow(awsMachines, gardenOptions(settings, clock)),
})
