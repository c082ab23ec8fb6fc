import { missingBundle } from '../bundle.ts'
import { type Benchmark, below, percentile } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { workerOf } from './objects.ts'
import { bundle, startWorkerWorld } from './worker-world.ts'

const workers = 40
const size = { pools: 1, zones: 1 }

/** Creates many new Workers with one pool at once. */
export const manyWorkers: Benchmark = {
  name: 'worker-many',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: `${workers} new Workers at once`, missing }]
    const world = await startWorkerWorld()
    const namespaces = Array.from({ length: workers }, (_, index) => `shoot--bench--many-${index}`)
    try {
      for (const namespace of namespaces) await world.makeShoot(namespace, size)
      const tookMs = await world.create(...namespaces.map(namespace => workerOf(namespace, size)))
      return [
        {
          name: `${workers} new Workers at once, one function process`,
          value: tookMs / 1000,
          unit: 's',
          target: below(8),
          reference: goExtension(41),
          with: 'warm bundle with bridge and broker; machines of no cloud, available at once',
        },
      ]
    } finally {
      await world.close()
    }
  },
}

const rounds = 5

/** Measures the time from the last machine to Succeeded, through the bridge that watches MachineDeployments. */
export const availableToSucceeded: Benchmark = {
  name: 'worker-available',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'last MachineDeployment available → Succeeded', missing }]
    const world = await startWorkerWorld()
    try {
      const took: number[] = []
      for (let round = 0; round < rounds; round++) {
        const namespace = `shoot--bench--round-${round}`
        const large = { pools: 30, zones: 3 }
        await world.makeShoot(namespace, large)
        const last = `${namespace}-pool-29-z3`
        world.availableAtOnce(({ metadata }) => metadata.name !== last)
        const created = world.create(workerOf(namespace, large))
        // A failure is reported by the first wait that rejects.
        created.catch(() => {})
        await world.moment('the others', () => {
          const all = world.deploymentsOf(namespace)
          return all.length === 90 && all.filter(({ status }) => status?.availableReplicas).length === 89
        })
        // The waiting step must have ended by then.
        await new Promise(resolve => setTimeout(resolve, 2_500))
        const deployment = world.deploymentsOf(namespace).find(({ metadata }) => metadata.name === last)
        if (deployment === undefined) throw new Error(`there is no deployment ${last}`)
        await world.makeAvailable(deployment)
        const began = performance.now()
        await created
        took.push(performance.now() - began)
      }
      return [
        {
          name: 'last MachineDeployment available → Succeeded',
          value: percentile(took, 0.5),
          unit: 'ms',
          target: below(1000),
          reference: goExtension(5000, 'looks every 5 s'),
          with: `whole path with bridge and broker; 30 pools × 3 zones, median of ${rounds}`,
        },
        {
          name: 'the same, longest',
          value: Math.max(...took),
          unit: 'ms',
          target: below(1000),
        },
      ]
    } finally {
      await world.close()
    }
  },
}
