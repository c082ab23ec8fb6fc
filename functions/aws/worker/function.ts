import { defineFunction } from '../../../shared/runtime/define-function.ts'
import {
  gardenOptions,
  gardenSettings,
  workerFlow,
  workerPermissions,
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
  service: {
    reaches: ['shoots'],
    maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: {
      value: 40,
      why: 'Steps wait for the API server, but each step of a large Worker holds its lists of machines in memory.',
    },
  },
  create: (settings, { clock }) => workerFlow(awsMachines, gardenOptions(settings, clock)),
})
