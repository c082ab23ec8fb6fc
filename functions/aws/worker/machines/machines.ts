/**
 * The AWS content for the machine controller: MachineClasses, their images, and their hash inputs. Nothing here calls
 * AWS.
 */

export { workerConfigSchema } from './config/worker-config.ts'
export { desiredMachines } from './desired-machines.ts'
export { machineHashInputs } from './hash/machine-hash-inputs.ts'
export { deletableSpec } from './machine-class/deletable-spec.ts'
export { type ImageToCheck, imageProblems, isImageChanged } from './validation/image-problems.ts'
export { poolProblems, zoneProblems } from './validation/pool-problems.ts'
