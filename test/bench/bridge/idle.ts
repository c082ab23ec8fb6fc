import { setTimeout as sleep } from 'node:timers/promises'
import { machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { definitions } from '../../real/real-cluster.ts'
import { atMost, below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bareNode } from '../memory/bare-node.ts'
import { answerChecks } from './answer-checks.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { monitoredAmong, restMs, storeHealthy } from './healthy-seed.ts'
import { untilServed } from './pace.ts'
import type { BridgeSeed } from './seed.ts'

const few = 400
const many = 5_000
/** The checks after a start take about half a minute. */
const startMs = 62_000
/** The largest number of checks that may still run when a bridge ends. */
const mostUnderWay = 50

/** Measures the bridge while no object changes. */
export const idle = bridgeBenchmark({
  name: 'bridge-idle',
  goals: {
    few: { name: `idle with ${few} objects: resident memory`, unit: 'MB', target: below(70) },
    resident: {
      name: `idle with ${many} objects: resident memory`,
      unit: 'MB',
      target: below(90),
      reference: apiServerSource(189),
    },
    share: {
      name: 'the same: share of a core',
      unit: '% of a core',
      target: below(2),
      with: 'without a change',
    },
    checks: {
      name: 'the same: requested health checks',
      unit: 'events/s',
      with: 'of ControlPlanes, Workers and Extensions: 2 in 7 objects',
    },
    perCheck: {
      name: 'the same: checks for an object with conditions, in that time',
      unit: 'events',
      target: atMost(1.1),
    },
    startShare: {
      name: 'first minute, in which every object is checked: share of a core',
      unit: '% of a core',
    },
    startChecks: { name: 'the same: requested health checks', unit: 'events/s' },
  },
  measure: async seed => {
    await serveAwaited(seed)
    const bare = await bareNode(seed.environment)
    const first = await storeHealthy(seed, 'few', few)
    const small = await start(seed, few)
    await small.during(startMs)
    const { residentMb } = await small.bridge.usage()
    await small.end()
    const rest = await storeHealthy(seed, 'many', many - few)
    const large = await start(seed, many)
    const started = await large.during(startMs)
    const atRest = await large.during(restMs)
    const { residentMb: resident } = await large.bridge.usage()
    await large.end()
    return {
      few: { value: residentMb, reference: bare },
      resident,
      share: atRest.share,
      checks: atRest.perSecond,
      perCheck: atRest.checks / monitoredAmong([...first, ...rest]),
      startShare: started.share,
      startChecks: started.perSecond,
    }
  },
})

/** Serves the resources that steps wait for and health depends on, so that the bridge watches them. */
const serveAwaited = async ({ kubernetes }: BridgeSeed): Promise<void> => {
  for (const crd of [...machineCrds(), ...resourceCrds()]) await kubernetes.create(definitions, crd)
  for (const { resource } of [machineKinds.MachineDeployment, managedResourceKind])
    await untilServed(kubernetes, resource)
}

/** Starts a bridge that has listed everything, with functions behind its sink. */
const start = async (seed: BridgeSeed, expected: number) => {
  const sink = await seed.sink()
  const { answered } = answerChecks(sink, seed.kubernetes)
  const bridge = await seed.bridge(sink.url)
  return {
    bridge,
    /** Returns the resources used in `ms`, and the checks ordered. */
    during: async (ms: number) => {
      const [before, arrived] = [await bridge.usage(), sink.checks.length]
      await sleep(ms)
      const after = await bridge.usage()
      const checks = sink.checks.length - arrived
      return {
        checks,
        perSecond: (checks / ms) * 1000,
        share: ((after.cpuMs - before.cpuMs) / ms) * 100,
      }
    },
    end: async () => {
      if ((await bridge.metric('trellis_bridge_watched_objects')) !== expected)
        throw new Error('some are not watched')
      if (answered() < sink.checks.length - mostUnderWay) throw new Error('checks are not answered')
      await bridge.end('SIGTERM')
    },
  }
}
