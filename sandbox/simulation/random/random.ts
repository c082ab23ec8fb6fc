/** Whole worlds at random: a seed determines a plan of faults, people and requests, and every promise is checked. */

export { restartBridges } from './perform.ts'
export type { NamedCloud, RandomCloud } from './random-cloud.ts'
export { type RunSeedOptions, runSeed, type SeedResult } from './run-seed.ts'
export { shrinkPlan } from './shrink-plan.ts'
export type { WorldPlan } from './world-plan.ts'
export { planLines } from './world-plan.ts'
