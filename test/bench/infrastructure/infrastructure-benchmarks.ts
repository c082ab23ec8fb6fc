import type { Benchmark } from '../figure.ts'
import { callBenchmarks } from './calls.ts'
import { manyInfrastructures } from './many-infrastructures.ts'

/** The cost of shoot infrastructures, compared with the Go extension. */
export const infrastructureBenchmarks: readonly Benchmark[] = [...callBenchmarks, manyInfrastructures]
