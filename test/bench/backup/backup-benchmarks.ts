import type { Benchmark } from '../figure.ts'
import { backupCalls } from './calls.ts'
import { millionObjects } from './million-objects.ts'

/** The cost of backup buckets, compared with the Go extension. */
export const backupBenchmarks: readonly Benchmark[] = [backupCalls, millionObjects]
