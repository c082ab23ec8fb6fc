import type { Benchmark } from '../figure.ts'
import { backupCalls } from './calls.ts'

/** What buckets for backups cost, beside the Go extension. */
export const backupBenchmarks: readonly Benchmark[] = [backupCalls]
