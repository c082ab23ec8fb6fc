/** A seed for testing one function: an API server in memory and a clock that advances from step to step. */

export type { PassCall, TestCall, TestCloud, TestThing } from './cloud/cloud-under-test.ts'
export { type HttpCloud, type HttpCloudOptions, httpCloud } from './cloud/http-cloud.ts'
export { type ObjectCloudOptions, objectCloud } from './cloud/object-cloud.ts'
export { createSteppedSeed, type SteppedSeed, type SteppedSeedOptions } from './create-stepped-seed.ts'
export { type FunctionPromise, functionPromises, type PromisingFunction } from './function-promises.ts'
export { isWriteRequest, requestText, type SteppedRequest } from './intercepted-kubernetes.ts'
export { readExample, type SeedExample } from './read-example.ts'
export { type ShootObjectsOptions, shootObjects } from './shoot-objects.ts'
export type { RunOptions, SteppedObject } from './stepped-object.ts'
export type { RequestHooks } from './stepped-process.ts'

// For suites without a function, or with a simulated provider.

export { interceptedKubernetes } from './intercepted-kubernetes.ts'
export { createSteppedProcess } from './stepped-process.ts'

// For replays, which run in a separate environment.

export { completeMachines } from './complete-machines.ts'
export { completeResources } from './complete-resources.ts'
