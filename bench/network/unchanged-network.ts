import { missingBundle } from '../bundle.ts'
import { rewriteAsYaml } from '../controlplane/rewrite-as-yaml.ts'
import { atMost, type Benchmark, type Figure, percentile } from '../figure.ts'
import { goNetworks } from '../measured-elsewhere.ts'
import { bundle, type NetworkWorld, startNetworkWorld } from './network-world.ts'

/** By which the code is compiled as it is when a process has been at work for some time. */
const warmUp = 10
const reconciles = 20
const goCpuMs = 101

/** A Network with nothing to do: one that the function has made, and one that it has found. */
export const unchangedNetwork: Benchmark = {
  name: 'network-unchanged',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'unchanged Network', missing }]
    const world = await startNetworkWorld()
    const [own, taken] = ['shoot--bench--own', 'shoot--bench--taken']
    try {
      for (const namespace of [own, taken]) {
        await world.makeShoot(namespace)
        await world.create(namespace)
        await world.moment('a Network', () => world.isReady(namespace))
      }
      const { requests, writes, cpuMs } = await measure(world, own)
      await rewriteAsYaml(world.seed.kubernetes, taken, 'managedresource-')
      const found = await measure(world, taken)
      const what = 'unchanged Network of Calico'
      return [
        {
          name: `${what}: requests to Kubernetes`,
          value: requests,
          unit: 'requests',
          target: atMost(9),
          reference: goNetworks(19),
        },
        {
          name: `${what}: writes`,
          value: writes,
          unit: 'requests',
          target: atMost(3),
          reference: goNetworks(8),
          with: 'all of the Network itself: the claim, and the status',
        },
        ...cpuFigure(what, cpuMs, 'warm bundle with bridge and broker'),
        {
          name: `${what} that the Go extension has made: writes`,
          value: found.writes,
          unit: 'requests',
          target: atMost(3),
          reference: goNetworks(8),
          with: `manifests are YAML; ${found.requests} requests in all`,
        },
        ...cpuFigure(`${what} that the Go extension has made`, found.cpuMs, 'manifests are YAML'),
      ]
    } finally {
      await world.close()
    }
  },
}

const cpuFigure = (what: string, cpuMs: number | undefined, circumstances: string): readonly Figure[] =>
  cpuMs === undefined
    ? []
    : [
        {
          name: `${what}: processor time of the function`,
          value: cpuMs,
          unit: 'ms CPU',
          target: atMost(0.5 * goCpuMs),
          reference: goNetworks(goCpuMs),
          with: `${circumstances}; ${reconciles} of them`,
        },
      ]

/** Throws where a reconcile writes more than its own object. */
const measure = async ({ seed, reconcile, usage }: NetworkWorld, namespace: string) => {
  for (let nth = 1; nth <= warmUp; nth++) await reconcile(namespace, nth)
  const { requests } = seed.server
  const counts: number[] = []
  const writes: number[] = []
  const before = await usage()
  for (let nth = warmUp + 1; nth <= warmUp + reconciles; nth++) {
    // Two that succeed within one second cost a write more, for they look the same; the answer to the last write of the
    // round before is logged after its effect is seen.
    await new Promise(resolve => setTimeout(resolve, 1_050))
    requests.clear()
    await reconcile(namespace, nth)
    await new Promise(resolve => setTimeout(resolve, 50))
    const asked = requests
      .entries()
      .filter(({ verb, resource = '' }) => verb !== 'watch' && !resource.startsWith('leases.'))
    const written = asked.filter(({ verb }) => verb !== 'get' && verb !== 'list')
    const others = written.filter(({ resource = '' }) => !resource.startsWith('networks.'))
    if (others.length > 0) throw new Error(`${others.length} writes although nothing differs`)
    // One of them asked for the reconcile.
    counts.push(asked.length - 1)
    writes.push(written.length - 1)
  }
  const after = await usage()
  return {
    requests: percentile(counts, 0.5),
    writes: percentile(writes, 0.5),
    cpuMs: before && after && (after.cpuMs - before.cpuMs) / reconciles,
  }
}
