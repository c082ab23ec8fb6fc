/** A seed for one function and its tests: an API server in memory, and a clock that goes on from step to step. */

export { createSteppedSeed, type SteppedSeed, type SteppedSeedOptions } from './create-stepped-seed.ts'
export { type FunctionPromise, functionPromises, type PromisingFunction } from './function-promises.ts'
export { readExample, type SeedExample } from './read-example.ts'

// For a replay, which has a stage of its own.

export { settleMachines } from './settle-machines.ts'
export { settleResources } from './settle-resources.ts'
