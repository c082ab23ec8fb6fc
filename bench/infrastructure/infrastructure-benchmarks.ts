import type { Benchmark } from '../figure.ts'
import { callBenchmarks } from './calls.ts'
import { manyInfrastructures } from './many-infrastructures.ts'

/** What the infrastructures of shoots cost, beside the Go extension. */
export const infrastructureBenchmarks: readonly Benchmark[] = [...callBenchmarks, manyInfrastructures]
