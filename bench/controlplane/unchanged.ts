import { atMost, type Figure, percentile } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import type { ControlPlaneWorld } from './control-plane-world.ts'

/** Enough reconciles to compile the code as in a process that has run for some time. */
const warmUp = 10
const reconciles = 20

/** Reconciles a ControlPlane that needs no change. Throws if a reconcile writes more than its own object. */
export const measureUnchanged = async (
  { seed, reconcile, usage }: ControlPlaneWorld,
  namespace: string,
): Promise<{ readonly requests: number; readonly writes: number; readonly cpuMs: number | undefined }> => {
  for (let nth = 1; nth <= warmUp; nth++) await reconcile(namespace, nth)
  const { requests } = seed.server
  const counts: number[] = []
  const writes: number[] = []
  const before = await usage()
  for (let nth = warmUp + 1; nth <= warmUp + reconciles; nth++) {
    // Two reconciles that succeed within one second look the same and cost one more write. The answer to the last write
    // of the previous round is logged after its effect is seen.
    await new Promise(resolve => setTimeout(resolve, 1_050))
    requests.clear()
    await reconcile(namespace, nth)
    await new Promise(resolve => setTimeout(resolve, 50))
    const asked = requests
      .entries()
      .filter(({ verb, resource = '' }) => verb !== 'watch' && !resource.startsWith('leases.'))
    const written = asked.filter(({ verb }) => verb !== 'get' && verb !== 'list')
    const others = written.filter(({ resource = '' }) => !resource.startsWith('controlplanes.'))
    if (others.length > 0) throw new Error(`${others.length} writes although nothing differs`)
    // One of them requested the reconcile.
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

/** The Go extension took 60 to 97 ms. */
const goCpuMs = 60

export const cpuFigure = (
  name: string,
  cpuMs: number | undefined,
  circumstances: string,
): readonly Figure[] =>
  cpuMs === undefined
    ? []
    : [
        {
          name,
          value: cpuMs,
          unit: 'ms CPU',
          target: atMost(0.5 * goCpuMs),
          reference: goExtension(goCpuMs, 'of 60 to 97'),
          with: `${circumstances}; ${reconciles} of them`,
        },
      ]
