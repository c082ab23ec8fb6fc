import { missingBundle } from '../bundle.ts'
import { startedControlPlanes } from '../controlplane/started-control-planes.ts'
import { atMost, type Benchmark, below, type FigureTarget, type Row } from '../figure.ts'
import { dnsRecords, type StartedKind } from '../start-world.ts'
import { startedWorkers } from '../worker/started-workers.ts'
import { bareNode } from './bare-node.ts'
import { type Burst, burstUsage } from './burst-usage.ts'
import { compactBurst } from './compact-burst.ts'
import { drain } from './drain.ts'
import { handover } from './handover.ts'
import { infrastructures } from './infrastructures.ts'
import { serviceOf } from './service-of.ts'

const burstOf = (name: string, of: StartedKind): Burst => ({
  name,
  world: of,
  kinds: [{ of, path: '/' }],
})

/** The four kinds with the most work for an object. */
const functions = [
  burstOf('aws-dnsrecord', dnsRecords),
  burstOf('aws-infrastructure', infrastructures),
  burstOf('aws-worker', startedWorkers),
  burstOf('aws-controlplane', startedControlPlanes),
]

/** Measures a process after 200 concurrent events, started as its pod starts it. */
const afterBurst = (name: string, bursts: readonly Burst[], target: FigureTarget): Benchmark => ({
  name,
  run: async () => {
    const missing = await missingBundle(bursts.map(({ world }) => world.bundle))
    if (missing !== undefined) return [{ name: 'memory of a process after a burst', missing }]
    const rows: Row[] = []
    for (const burst of bursts) rows.push(...(await rowsOf(burst, target)))
    return rows
  },
})

const rowsOf = async (burst: Burst, target: FigureTarget): Promise<readonly Row[]> => {
  const { residentMb, peakMb, eventsPerSecond, cpuMsPerEvent, answered, unfinished } = await burstUsage(burst)
  const failed = unfinished.filter(one => !one.includes(' is Processing'))
  const reference = await bareNode((await serviceOf(burst.name)).env)
  return [
    {
      name: `${burst.name} after 200 events at once: resident memory`,
      value: residentMb,
      unit: 'MB',
      target,
      reference,
      with: `${answered} answered; flags of its image, environment of its manifest; Kubernetes by TLS`,
    },
    { name: 'the same: highest', value: peakMb, unit: 'MB' },
    {
      name: 'the same: recorded errors',
      value: failed.length,
      unit: 'events',
      target: atMost(0),
      with: failed[0] ?? `${answered - unfinished.length} Succeeded, the others wait for their cloud`,
    },
    { name: 'the same: events of the burst', value: eventsPerSecond, unit: 'events/s' },
    { name: 'the same: processor time of an event', value: cpuMsPerEvent, unit: 'ms CPU' },
  ]
}

/** Measures processes after work and at their end. `bridge-idle` measures those of the bridge. */
export const memoryBenchmarks: readonly Benchmark[] = [
  afterBurst('memory-burst', functions, below(110)),
  afterBurst('memory-compact', [compactBurst], below(150)),
  drain,
  handover,
]
