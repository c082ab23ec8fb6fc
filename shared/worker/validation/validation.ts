/** The checks of pools that are the same for every provider, for admission and steps. Loads no flow. */

export { changeProblems } from './change-problems.ts'
export { nodeTemplateProblems } from './node-template-problems.ts'
export type { PoolToCheck, VolumeToCheck } from './pool-to-check.ts'
