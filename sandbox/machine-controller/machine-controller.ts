/** A machine controller: turns MachineDeployments into sets, machines, cloud instances and nodes. */

export {
  type MachineCloud,
  MachineCloudError,
  type MachineErrorCode,
  type MachineRequest,
  type SecretData,
} from './machine-cloud.ts'
export { memoryMachines } from './memory-machines.ts'
export { nodeFaultAnnotation } from './nodes/node-fault.ts'
export type { ShootNode } from './nodes/nodes.ts'
export { type MachineController, startMachineController } from './start-machine-controller.ts'
