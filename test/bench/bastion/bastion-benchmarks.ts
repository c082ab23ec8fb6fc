import type { Benchmark } from '../figure.ts'
import { bastionCalls } from './calls.ts'

/** The cost of a bastion, compared with the Go extension. */
export const bastionBenchmarks: readonly Benchmark[] = [bastionCalls]
