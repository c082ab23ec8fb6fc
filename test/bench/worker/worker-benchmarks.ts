import type { Benchmark } from '../figure.ts'
import { largeWorkers } from './large-workers.ts'
import { availableToSucceeded, manyWorkers } from './many-workers.ts'

/** The cost of Workers, compared with the Go extension. */
export const workerBenchmarks: readonly Benchmark[] = [largeWorkers, manyWorkers, availableToSucceeded]
