import { setTimeout as sleep } from 'node:timers/promises'
import { deployments } from '../../../shared/kubernetes/core-resources.ts'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, below, percentile } from '../figure.ts'
import { usageOf } from '../process-usage.ts'
import { bundles, type ConditionWrite, startHealthWorld } from './health-world.ts'
import { deploymentStatus, flipped, namespaceOf } from './shoots.ts'

const shoots = 400
const routeControllerIn = 4
/** After this time, the bridge has checked all objects after its start. */
const startMs = 30_000
/** The shortest rounds of the setting, which are measured in place of those of 20 minutes. */
const roundMs = 60_000
const rounds = 2
const usualRoundMs = 20 * 60_000
const idleMs = 30_000
const changes = 20
const fn = 'aws-controlplane'

const name = `${shoots} healthy shoots`

/** Measures the cost of healthy shoots, and the time until an unhealthy shoot shows. */
export const healthyShoots: Benchmark = {
  name: 'health',
  run: async () => {
    const missing = await missingBundle(bundles)
    if (missing !== undefined) return [{ name, missing }]
    const world = await startHealthWorld({ shoots, routeControllerIn })
    try {
      // The same number of objects of kinds without conditions, to separate the cost of watches and checks.
      const without = await world.bridge('Network,OperatingSystemConfig')
      await sleep(10_000)
      const atFirst = await without.usage()
      await sleep(idleMs)
      const idle = await without.usage()
      const base = idle?.residentMb ?? Number.NaN
      const idlePercent =
        ((idle?.cpuMs ?? Number.NaN) - (atFirst?.cpuMs ?? Number.NaN)) / 10 / (idleMs / 1_000)
      await without.end('SIGTERM')

      const writes: ConditionWrite[] = []
      const quick = await world.bridge('ControlPlane,Worker', { TRELLIS_HEALTH_ROUND: '1m' })
      await sleep(startMs)
      const pids = () => [quick.pid, ...world.functions.map(({ pid }) => pid)]
      const cpu = async () => {
        const all = await Promise.all(pids().map(usageOf))
        return all.map(usage => usage?.cpuMs ?? 0)
      }
      const note = (write: ConditionWrite) => void writes.push(write)
      world.listeners.add(note)
      const before = await cpu()
      await sleep(rounds * roundMs)
      const after = await cpu()
      world.listeners.delete(note)
      const ofOneRound = after.map((ms, index) => (ms - (before[index] ?? 0)) / rounds)
      const resident = (await quick.usage())?.residentMb ?? Number.NaN
      await quick.end('SIGTERM')
      const [ofBridge = 0, ...ofFunctions] = ofOneRound
      const checking = ofBridge - (idlePercent / 100) * roundMs + ofFunctions.reduce((sum, ms) => sum + ms, 0)

      await world.bridge('ControlPlane,Worker')
      await sleep(startMs)
      const change = async (namespace: string, isAvailable: boolean): Promise<number> => {
        const { promise, resolve } = Promise.withResolvers<number>()
        const see = ({ kind, status, ...write }: ConditionWrite) => {
          if (write.namespace === namespace && kind === 'ControlPlane' && (status === 'True') === isAvailable)
            resolve(performance.now())
        }
        world.listeners.add(see)
        const start = performance.now()
        const status = deploymentStatus(isAvailable)
        const key = { name: flipped, namespace }
        await world.kubernetes.patch(deployments, key, { status }, { subresource: 'status' })
        const took = (await promise) - start
        world.listeners.delete(see)
        return took
      }
      const warm: number[] = []
      const cold: number[] = []
      for (let index = 0; index < changes; index++) {
        // Repeated changes of one object are checked later.
        const [first, second] = [index, index + shoots / 2].map(at => namespaceOf((at * 17) % shoots))
        warm.push(await change(first ?? '', false))
        await change(first ?? '', true)
        await world.toZero(fn)
        cold.push(await change(second ?? '', false))
        await change(second ?? '', true)
      }
      return [
        {
          name: `${name}: processor time of a round`,
          value: checking,
          unit: 'ms CPU',
          with: `${shoots * 2} checks; bridge ${Math.round(ofBridge)} ms, functions ${ofFunctions.map(Math.round).join(' and ')} ms; one shoot in ${routeControllerIn} has a route controller, whose events are read`,
        },
        {
          name: 'the same: processor time, with a round in 20 minutes',
          value: (checking / usualRoundMs) * 100,
          unit: '% of a core',
          target: atMost(0.5),
        },
        {
          name: 'the same: status writes, with a round in 20 minutes',
          value: (writes.length / rounds / usualRoundMs) * 1_000,
          unit: 'writes/s',
          target: atMost(0.3),
          with: `${writes.length / rounds} in a round`,
        },
        {
          name: 'Deployment unhealthy → condition False, warm function',
          value: percentile(warm, 0.5),
          unit: 'ms',
          target: below(1_000),
          with: `whole path with bridge and broker, median of ${changes}`,
        },
        { name: 'the same, longest', value: Math.max(...warm), unit: 'ms', target: below(1_000) },
        {
          name: 'the same from zero',
          value: percentile(cold, 0.5),
          unit: 'ms',
          target: below(2_000),
          with: `with the start of the process from its start-up snapshot, median of ${changes}`,
        },
        { name: 'the same, longest', value: Math.max(...cold), unit: 'ms', target: below(2_000) },
        {
          name: `${name}: the bridge's memory for their health`,
          value: resident - base,
          unit: 'MB',
          target: atMost(30),
          with: `${Math.round(resident)} MB with ${shoots * 2} objects, ${shoots * 15} Deployments and ${shoots * 2} MachineDeployments, beside a bridge without any`,
        },
      ]
    } finally {
      await world.close()
    }
  },
}
