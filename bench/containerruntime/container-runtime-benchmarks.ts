import type { Benchmark } from '../figure.ts'
import { lifeOfRuntimes } from './life-of-runtimes.ts'
import { unchangedRuntime } from './unchanged-runtime.ts'

/** What ContainerRuntimes of gVisor cost, beside the Go extension. */
export const containerRuntimeBenchmarks: readonly Benchmark[] = [unchangedRuntime, lifeOfRuntimes]
