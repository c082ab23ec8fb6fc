import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, below, type Figure } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { workerOf } from './objects.ts'
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
  const created = world.create(workerOf(namespace, size))
  // A failure is reported by the first wait that rejects.
  created.catch(() => {})
  const written = await world.moment(
    'the last deployment',
    () => world.deploymentsOf(namespace).length === 3 * pools,
  )
  for (const deployment of world.deploymentsOf(namespace)) await world.makeAvailable(deployment)
  await created
  return (written - began) / 1000
}

const thirty = async (): Promise<readonly Figure[]> => {
  const world = await startWorkerWorld()
  const namespace = 'shoot--bench--thirty'
  try {
    const seconds = await writtenSeconds(world, namespace, 30)
    const key = { name: 'rose', namespace }
    const { requests, writes, cpuMs } = await world.measureUnchanged(key, { warmUp: 1, reconciles })
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
        value: requests,
        unit: 'requests',
        target: atMost(Math.floor(397 * 0.15)),
        reference: goExtension(397),
      },
      {
        name: `${what}: writes`,
        value: writes,
        unit: 'requests',
        target: atMost(4),
        reference: goExtension(275, '271 of them empty'),
        with: 'all of the Worker itself: the claim, and the status',
      },
      ...(cpuMs !== undefined
        ? [
            {
              name: `${what}: processor time of the function`,
              value: cpuMs,
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
