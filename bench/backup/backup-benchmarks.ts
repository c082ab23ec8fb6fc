import type { Benchmark } from '../figure.ts'
import { backupCalls } from './calls.ts'
import { backupStarts } from './starts.ts'

/** What buckets for backups cost, beside the Go extension and the function for DNS. */
export const backupBenchmarks: readonly Benchmark[] = [backupCalls, backupStarts]
