import type { Benchmark } from '../figure.ts'
import { bastionCalls } from './calls.ts'
import { bastionStart } from './start.ts'

/** What a bastion costs, beside the Go extension. */
export const bastionBenchmarks: readonly Benchmark[] = [bastionCalls, bastionStart]
