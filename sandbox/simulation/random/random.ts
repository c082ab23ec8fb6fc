/** Whole worlds at random: a seed determines a plan of faults, people and requests, and every promise is checked. */
export type { Plan } from './plan.ts'
export { planLines } from './plan.ts'
export type { NamedCloud, RandomCloud } from './random-cloud.ts'
export { type RunSeedOptions, runSeed, type SeedResult } from './run-seed.ts'
