import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { workerFlow, workerPermissions } from '../../../shared/worker/worker.ts'
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
  service: {
    reaches: ['shoots'],
    maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: {
      value: 40,
      why: 'Steps wait for the API server, but each step of a large Worker holds its lists of machines in memory.',
    },
  },
  create: () => workerFlow(localMachines),
})
