import type { Benchmark } from '../figure.ts'
import { largeWorkers } from './large-workers.ts'
import { availableToSucceeded, manyWorkers } from './many-workers.ts'

/** What Workers cost, beside the Go extension. */
export const workerBenchmarks: readonly Benchmark[] = [largeWorkers, manyWorkers, availableToSucceeded]
