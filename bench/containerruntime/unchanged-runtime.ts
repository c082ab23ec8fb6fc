import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, percentile } from '../figure.ts'
import { goRuntimes } from '../measured-elsewhere.ts'
import { bundle, type RuntimeWorld, startRuntimeWorld } from './runtime-world.ts'

/** As many as a process has to do at a time: one alone would pay for waking it, and for the second in which nothing is done. */
const shoots = 10
/** Rounds over all of them, by which the code is compiled as it is when a process has been at work for some time. */
const warmUp = 10
const rounds = 5
const goCpuMs = 10

/** A ContainerRuntime with nothing to do. */
export const unchangedRuntime: Benchmark = {
  name: 'containerruntime-unchanged',
  run: async () => {
    const what = 'unchanged ContainerRuntime of gVisor'
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: what, missing }]
    const world = await startRuntimeWorld()
    const namespaces = Array.from({ length: shoots }, (_, nth) => `shoot--bench--${nth}`)
    try {
      for (const namespace of namespaces) {
        await world.create(namespace)
        await world.moment('a ContainerRuntime', () => world.isReady(namespace))
      }
      const { requests, writes, cpuMs } = await measure(world, namespaces)
      return [
        {
          name: `${what}: requests to Kubernetes`,
          value: requests,
          unit: 'requests',
          target: atMost(7),
          reference: goRuntimes(7),
        },
        {
          name: `${what}: writes`,
          value: writes,
          unit: 'requests',
          target: atMost(3),
          reference: goRuntimes(3),
          with: 'all of the ContainerRuntime itself: the claim, and the status',
        },
        ...(cpuMs === undefined
          ? []
          : [
              {
                name: `${what}: processor time of the function`,
                value: cpuMs,
                unit: 'ms CPU',
                target: atMost(0.5 * goCpuMs),
                reference: goRuntimes(goCpuMs),
                with: `warm bundle with bridge and broker; ${rounds} times ${shoots} of them`,
              } as const,
            ]),
      ]
    } finally {
      await world.close()
    }
  },
}

/** Throws where a reconcile writes more than its own object. */
const measure = async ({ seed, reconcile, usage }: RuntimeWorld, namespaces: readonly string[]) => {
  for (let nth = 1; nth <= warmUp; nth++) for (const namespace of namespaces) await reconcile(namespace, nth)
  const { requests } = seed.server
  const counts: number[] = []
  const writes: number[] = []
  const before = await usage()
  for (let nth = warmUp + 1; nth <= warmUp + rounds; nth++) {
    // Two of an object that succeed within one second cost a write more, for they look the same; the answer to the last write
    // of the round before is logged after its effect is seen.
    await new Promise(resolve => setTimeout(resolve, 1_050))
    requests.clear()
    for (const namespace of namespaces) await reconcile(namespace, nth)
    await new Promise(resolve => setTimeout(resolve, 50))
    const asked = requests
      .entries()
      .filter(({ verb, resource = '' }) => verb !== 'watch' && !resource.startsWith('leases.'))
    const written = asked.filter(({ verb }) => verb !== 'get' && verb !== 'list')
    const others = written.filter(({ resource = '' }) => !resource.startsWith('containerruntimes.'))
    if (others.length > 0) throw new Error(`${others.length} writes although nothing differs`)
    // One of each asked for the reconcile.
    counts.push(asked.length / shoots - 1)
    writes.push(written.length / shoots - 1)
  }
  const after = await usage()
  return {
    requests: percentile(counts, 0.5),
    writes: percentile(writes, 0.5),
    cpuMs: before && after && (after.cpuMs - before.cpuMs) / (rounds * shoots),
  }
}
