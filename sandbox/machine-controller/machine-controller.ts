/** A machine controller: turns MachineDeployments into sets, machines, cloud instances and nodes. */

export {
  type CloudMachine,
  type FoundMachine,
  type MachineCloud,
  MachineCloudError,
  type MachineErrorCode,
  type MachineRequest,
  type Power,
  type SecretData,
} from './machine-cloud.ts'
export { memoryMachines } from './memory-machines.ts'
export { type NodeFault, nodeFaultAnnotation } from './nodes/node-fault.ts'
export type { ShootNode } from './nodes/nodes.ts'
export {
  type MachineController,
  type MachineControllerOptions,
  startMachineController,
} from './start-machine-controller.ts'
