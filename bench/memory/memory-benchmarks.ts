import { missingBundle } from '../bundle.ts'
import { type Benchmark, below, type Row } from '../figure.ts'
import { dnsRecords } from '../start-world.ts'
import { bareNode } from './bare-node.ts'
import { burstUsage } from './burst-usage.ts'
import { drain } from './drain.ts'
import { infrastructures } from './infrastructures.ts'
import { serviceOf } from './service-of.ts'

/** Route 53 takes five requests a second of an account; here the process is measured, and not the wait. */
const unthrottled = { TRELLIS_CLIENT_QPS: '1000', TRELLIS_CLIENT_BURST: '1000' }

const functions = [
  { name: 'aws-dnsrecord', kind: dnsRecords, settings: unthrottled },
  { name: 'aws-infrastructure', kind: infrastructures, settings: {} },
] as const

/** What a function takes after 200 events at once, started as its pod starts it. */
const afterBurst: Benchmark = {
  name: 'memory-burst',
  run: async () => {
    const missing = await missingBundle(functions.map(({ kind }) => kind.bundle))
    if (missing !== undefined) return [{ name: 'memory of a function after a burst', missing }]
    const rows: Row[] = []
    for (const { name, kind, settings } of functions) {
      const { residentMb, peakMb, eventsPerSecond } = await burstUsage(name, kind, settings)
      const reference = await bareNode((await serviceOf(name)).env)
      rows.push(
        {
          name: `${name} after 200 events at once: resident memory`,
          value: residentMb,
          unit: 'MB',
          target: below(110),
          reference,
          with: 'with the flags of its image and the environment of its manifest; Kubernetes by TLS',
        },
        { name: 'the same: highest', value: peakMb, unit: 'MB' },
        { name: 'the same: events of the burst', value: eventsPerSecond, unit: 'events/s' },
      )
    }
    return rows
  },
}

/** What processes take after work, and what becomes of it when they end. Those of the bridge are `bridge-idle`. */
export const memoryBenchmarks: readonly Benchmark[] = [afterBurst, drain]
