/**
 * The OpenStack content for the machine controller: MachineClasses, their images, and their hash inputs. Nothing here
 * calls OpenStack.
 */

export { type OpenStackWorkerConfig, readWorkerConfig, workerConfigSchema } from './config/worker-config.ts'
export {
  readWorkerStatus,
  type ServerGroupDependency,
  serverGroupOf,
  type WorkerStatus,
  workerStatusOf,
} from './config/worker-status.ts'
export { desiredMachines } from './desired-machines.ts'
export { machineHashInputs } from './machine-hash-inputs.ts'
export { poolChangeProblems, poolProblems } from './validation/pool-problems.ts'
export type { OpenStackPoolToCheck } from './validation/pool-to-check.ts'
