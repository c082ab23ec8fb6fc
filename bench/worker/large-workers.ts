import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, below, type Figure, percentile } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { bundle, startWorkerWorld } from './worker-world.ts'

const circumstances = 'warm bundle with bridge and broker; machines of no cloud'
const reconciles = 10

/** Reconciles a Worker of 30 pools in three zones, new and unchanged, and one of 100 pools. */
export const largeWorkers: Benchmark = {
  name: 'worker-large',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'Workers with many pools', missing }]
    return [...(await thirty()), ...(await hundred())]
  },
}

const writtenSeconds = async (
  world: Awaited<ReturnType<typeof startWorkerWorld>>,
  namespace: string,
  pools: number,
): Promise<number> => {
  const size = { pools, zones: 3 }
  await world.makeShoot(namespace, size)
  // The writes of a machine controller would otherwise be measured too.
  world.availableAtOnce(() => false)
  const began = performance.now()
  await world.createWorker(namespace, size)
  const written = await world.moment(
    'the last deployment',
    () => world.deploymentsOf(namespace).length === 3 * pools,
  )
  for (const deployment of world.deploymentsOf(namespace)) await world.makeAvailable(deployment)
  await world.moment('a Worker with all pools', () => world.isReady(namespace))
  return (written - began) / 1000
}

const thirty = async (): Promise<readonly Figure[]> => {
  const world = await startWorkerWorld()
  const namespace = 'shoot--bench--thirty'
  try {
    const seconds = await writtenSeconds(world, namespace, 30)
    await world.reconcile(namespace, 1)
    const { requests } = world.seed.server
    const counts: number[] = []
    const writes: number[] = []
    const before = await world.usage()
    for (let nth = 2; nth < 2 + reconciles; nth++) {
      // Two reconciles that succeed within one second look the same and cost one more write. The answer to the last
      // write of the previous round is logged after its effect is seen.
      await new Promise(resolve => setTimeout(resolve, 1_050))
      requests.clear()
      await world.reconcile(namespace, nth)
      await new Promise(resolve => setTimeout(resolve, 50))
      const asked = requests
        .entries()
        .filter(({ verb, resource = '' }) => verb !== 'watch' && !resource.startsWith('leases.'))
      const written = asked.filter(({ verb }) => verb !== 'get' && verb !== 'list')
      const others = written.filter(({ resource = '' }) => !resource.startsWith('workers.'))
      if (others.length > 0) throw new Error(`${others.length} writes although nothing differs`)
      // One of them requested the reconcile.
      counts.push(asked.length - 1)
      writes.push(written.length - 1)
    }
    const after = await world.usage()
    const what = 'unchanged Worker, 30 pools × 3 zones'
    return [
      {
        name: 'new Worker, 30 pools × 3 zones: all deployments written',
        value: seconds,
        unit: 's',
        target: below(1),
        reference: goExtension(1.3),
        with: circumstances,
      },
      {
        name: `${what}: requests to Kubernetes`,
        value: percentile(counts, 0.5),
        unit: 'requests',
        target: atMost(Math.floor(397 * 0.15)),
        reference: goExtension(397),
      },
      {
        name: `${what}: writes`,
        value: percentile(writes, 0.5),
        unit: 'requests',
        target: atMost(4),
        reference: goExtension(275, '271 of them empty'),
        with: 'all of the Worker itself: the claim, and the status',
      },
      ...(before && after
        ? [
            {
              name: `${what}: processor time of the function`,
              value: (after.cpuMs - before.cpuMs) / reconciles,
              unit: 'ms CPU',
              target: atMost(227 * 0.5),
              reference: goExtension(227),
              with: `${circumstances}; ${reconciles} of them`,
            } satisfies Figure,
          ]
        : []),
    ]
  } finally {
    await world.close()
  }
}

const hundred = async (): Promise<readonly Figure[]> => {
  const world = await startWorkerWorld()
  try {
    const seconds = await writtenSeconds(world, 'shoot--bench--hundred', 100)
    const usage = await world.usage()
    return [
      {
        name: 'new Worker, 100 pools × 3 zones: all deployments written',
        value: seconds,
        unit: 's',
        target: below(3),
        with: circumstances,
      },
      ...(usage
        ? [
            {
              name: 'highest resident memory of the function after 100 pools × 3 zones',
              value: usage.peakMb,
              unit: 'MB',
              target: below(200),
              reference: goExtension(109, 'after 30 × 3 and 40 Workers'),
            } satisfies Figure,
          ]
        : []),
    ]
  } finally {
    await world.close()
  }
}
