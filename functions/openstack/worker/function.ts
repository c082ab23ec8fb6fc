import { type HealthDefinition, machinesCheck } from '../../../shared/health/health.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  gardenOptions,
  gardenSettings,
  workerFlow,
  workerPermissions,
  workerService,
} from '../../../shared/worker/worker.ts'
import {
  connectionOf,
  type OpenStackConnection,
  openstackClassifiers,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { openstackMachines, withoutRequestIds } from './openstack-machines.ts'

/** The health checks of a Worker of type `openstack` (docs/contract/health.md#what-is-checked). */
const workerHealth: HealthDefinition = {
  conditions: [{ type: 'EveryNodeReady', checks: [machinesCheck(openstackClassifiers, withoutRequestIds)] }],
}

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
  service: { ...workerService, reaches: ['shoots', 'public-networks', 'private-networks'] },
  create: (settings, deps: FunctionDeps<OpenStackConnection>) =>
    workerFlow(openstackMachines(connectionOf(deps), deps.clock), gardenOptions(settings, deps.clock)),
})
