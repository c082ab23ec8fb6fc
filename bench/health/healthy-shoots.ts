import { setTimeout as sleep } from 'node:timers/promises'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, below, percentile } from '../figure.ts'
import { usageOf } from '../process-usage.ts'
import { bundles, type ConditionWrite, startHealthWorld } from './health-world.ts'
import { deploymentStatus, flipped, namespaceOf } from './shoots.ts'

const shoots = 400
const routeControllerIn = 4
/** After this time, the bridge has caught up with its start. */
const startMs = 75_000
/** The longest interval between two writes of a condition, so that each condition counts once. */
const windowMs = 260_000
const idleMs = 30_000
const rounds = 20

const name = `${shoots} healthy shoots`
const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true }

/** Measures the cost of healthy shoots, the age of their conditions, and the time until an unhealthy shoot shows. */
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
      const oldest: number[] = []
      const bridge = await world.bridge('ControlPlane,Worker')
      await sleep(startMs)
      const pids = () => [bridge.pid, ...world.functions.map(({ pid }) => pid)]
      const cpu = async () => {
        const all = await Promise.all(pids().map(usageOf))
        return all.map(usage => usage?.cpuMs ?? 0)
      }
      const note = (write: ConditionWrite) => void writes.push(write)
      world.listeners.add(note)
      const before = await cpu()
      const began = performance.now()
      await sleep(windowMs)
      const seconds = (performance.now() - began) / 1_000
      const after = await cpu()
      world.listeners.delete(note)
      const percent = after.map((ms, index) => (ms - (before[index] ?? 0)) / 10 / seconds)
      const total = percent.reduce((sum, value) => sum + value, 0) - idlePercent
      for (const plural of ['controlplanes', 'workers']) {
        const { items } = await world.kubernetes.list({
          ...{ group: 'extensions.gardener.cloud', version: 'v1alpha1', plural, namespaced: true },
        })
        for (const { status } of items) {
          const [condition] = Object(status).conditions
          oldest.push((Date.now() - Date.parse(condition.lastUpdateTime)) / 1_000)
        }
      }
      const resident = (await bridge.usage())?.residentMb ?? Number.NaN

      const took: number[] = []
      for (let round = 0; round < rounds; round++) {
        const namespace = namespaceOf((round * 17) % shoots)
        const { promise, resolve } = Promise.withResolvers<number>()
        const see = (write: ConditionWrite) => {
          if (write.namespace === namespace && write.kind === 'ControlPlane' && write.status === 'False')
            resolve(performance.now())
        }
        world.listeners.add(see)
        const start = performance.now()
        const status = deploymentStatus(false)
        const key = { name: flipped, namespace }
        await world.kubernetes.patch(deployments, key, { status }, { subresource: 'status' })
        took.push((await promise) - start)
        world.listeners.delete(see)
      }
      const [ofBridge = 0, ...ofFunctions] = percent
      return [
        {
          name: `${name}: status writes`,
          value: writes.length / seconds,
          unit: 'writes/s',
          target: atMost(4),
          with: `ControlPlanes and Workers; one in ${routeControllerIn} has a route controller, whose events are read`,
        },
        {
          name: 'the same: processor time of bridge and functions',
          value: total,
          unit: '% of a core',
          target: atMost(2),
          with: `bridge ${ofBridge.toFixed(2)} less ${idlePercent.toFixed(2)} that one takes without health, functions ${ofFunctions.map(value => value.toFixed(2)).join(' and ')}`,
        },
        {
          name: 'the same: oldest condition',
          value: Math.max(...oldest),
          unit: 's',
          target: below(300),
          with: 'what gardenlet calls outdated, though it goes by the Lease alone',
        },
        {
          name: 'Deployment unhealthy → condition False',
          value: percentile(took, 0.5),
          unit: 'ms',
          target: below(1_000),
          with: `whole path with bridge and broker, warm function, median of ${rounds}`,
        },
        { name: 'the same, longest', value: Math.max(...took), unit: 'ms', target: below(1_000) },
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
