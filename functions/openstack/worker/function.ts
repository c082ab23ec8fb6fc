import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  gardenOptions,
  gardenSettings,
  workerFlow,
  workerPermissions,
} from '../../../shared/worker/worker.ts'
import {
  connectionOf,
  type OpenStackConnection,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { workerHealth } from './health.ts'
import { openstackMachines } from './openstack-machines.ts'

/**
 * Workers of type `openstack`: MachineClasses and MachineDeployments for the machine controller, and the server groups
 * of pools with a policy.
 */
export const definition = defineFunction({
  name: 'openstack-worker',
  kind: 'Worker',
  type: 'openstack',
  classes: ['shoot'],
  settings: gardenSettings,
  permissions: workerPermissions,
  health: workerHealth,
  service: {
    reaches: ['shoots', 'public-networks', 'private-networks'],
    maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: {
      value: 40,
      why: 'Steps wait for the API server, but each step of a large Worker holds its lists of machines in memory.',
    },
  },
  create: (settings, deps: FunctionDeps<OpenStackConnection>) =>
    workerFlow(openstackMachines(connectionOf(deps), deps.clock), gardenOptions(settings, deps.clock)),
})
