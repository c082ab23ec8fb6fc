import type { Benchmark } from '../figure.ts'
import { bastionCalls } from './calls.ts'

/** What a bastion costs, beside the Go extension. */
export const bastionBenchmarks: readonly Benchmark[] = [bastionCalls]
