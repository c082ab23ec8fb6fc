import type { Benchmark } from '../figure.ts'
import { backupCalls } from './calls.ts'
import { millionObjects } from './million-objects.ts'

/** What buckets for backups cost, beside the Go extension. */
export const backupBenchmarks: readonly Benchmark[] = [backupCalls, millionObjects]
