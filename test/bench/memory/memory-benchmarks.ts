import { basename, dirname } from 'node:path'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, below, type FigureTarget, type Row } from '../figure.ts'
import { startWorld } from '../start/start-world.ts'
import {
  controlPlanes,
  dnsRecords,
  infrastructures,
  type StartedKind,
  succeedingKinds,
  workers,
} from '../start/started-kinds.ts'
import { bareNode } from './bare-node.ts'
import { type Burst, burstUsage } from './burst-usage.ts'
import { serviceOf } from './service-of.ts'

interface WorldBurst extends Burst {
  /** The world in which the program runs. */
  readonly world: StartedKind
}

const programOf = ({ bundle }: StartedKind): string => basename(dirname(bundle))

/** The four kinds with the most work for an object. */
const functions = [dnsRecords, infrastructures, workers, controlPlanes].map(
  (of): WorldBurst => ({ service: programOf(of), world: of, kinds: [{ of, path: '/' }] }),
)

const all = [...succeedingKinds, infrastructures]
/** Some of the worlds share a shoot. */
const keyOf = ({ kind, metadata: { namespace, name } }: KubernetesObject) => [kind, namespace, name].join(' ')

/** All functions of `aws` in one process, each with objects for which it does its full work. */
export const compactBurst: WorldBurst = {
  service: 'aws-compact',
  world: {
    ...dnsRecords,
    bundle: 'dist/bundles/aws-compact/main.cjs',
    objects: [...new Map(all.flatMap(({ objects }) => objects).map(one => [keyOf(one), one])).values()],
    prepare: async (aws, kubernetes) => {
      for (const { prepare } of all) await prepare?.(aws, kubernetes)
    },
  },
  kinds: all.map(of => ({ of, path: `/${programOf(of)}` })),
}

/** Measures a process after 200 concurrent events, started as its pod starts it. */
const afterBurst = (name: string, bursts: readonly WorldBurst[], target: FigureTarget): Benchmark => ({
  name,
  run: async () => {
    const missing = await missingBundle(bursts.map(({ world }) => world.bundle))
    if (missing !== undefined) return [{ name: 'memory of a process after a burst', missing }]
    const rows: Row[] = []
    for (const burst of bursts) rows.push(...(await rowsOf(burst, target)))
    return rows
  },
})

const rowsOf = async ({ world: of, ...burst }: WorldBurst, target: FigureTarget): Promise<readonly Row[]> => {
  const world = await startWorld(of)
  const usage = await burstUsage(world, burst).finally(world.close)
  const { after, eventsPerSecond, cpuMsPerEvent, answered, unfinished } = usage
  const failed = unfinished.filter(one => !one.includes(' is Processing'))
  return [
    {
      name: `${burst.service} after 200 events at once: resident memory`,
      value: after.residentMb,
      unit: 'MB',
      target,
      reference: await bareNode((await serviceOf(burst.service)).env),
      with: `${answered} answered; flags of its image, environment of its manifest; Kubernetes by TLS`,
    },
    { name: 'the same: highest', value: after.peakMb, unit: 'MB' },
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

/** Measures processes after work. `bridge-idle` measures those of the bridge. */
export const memoryBenchmarks: readonly Benchmark[] = [
  afterBurst('memory-burst', functions, below(110)),
  afterBurst('memory-compact', [compactBurst], below(150)),
]
