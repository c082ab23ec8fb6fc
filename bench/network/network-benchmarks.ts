import type { Benchmark } from '../figure.ts'
import { lifeOfNetworks } from './life-of-networks.ts'
import { unchangedNetwork } from './unchanged-network.ts'

/** What Networks of Calico cost, beside the Go extension. */
export const networkBenchmarks: readonly Benchmark[] = [unchangedNetwork, lifeOfNetworks]
