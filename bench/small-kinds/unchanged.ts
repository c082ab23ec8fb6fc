import { kinds } from '../../shared/contract/kinds.ts'
import { percentile } from '../figure.ts'
import type { KindWorld } from './kind-world.ts'

/** Enough reconciles to compile the code as in a process that has run for some time. */
const warmUp = 40
export const reconciles = 10

export interface Unchanged {
  /** Requests to all clusters and to the name server. */
  readonly requests: number
  readonly writes: number
  /** Undefined if this machine does not report it. */
  readonly cpuMs: number | undefined
}

/** Measures a reconcile without a change. Throws if one writes more than its own object. */
export const measureUnchanged = async (world: KindWorld): Promise<Unchanged> => {
  const { seed, reconcile, usage, kind } = world
  for (let nth = 1; nth <= warmUp; nth++) await reconcile(nth)
  const { requests } = seed.server
  const counts: number[] = []
  const writes: number[] = []
  const before = await usage()
  for (let nth = warmUp + 1; nth <= warmUp + reconciles; nth++) {
    // Two reconciles that succeed within one second look the same and cost one more write. The answer to the last write
    // of the previous round is logged after its effect is seen.
    await new Promise(resolve => setTimeout(resolve, 1_050))
    requests.clear()
    const calls = world.providerCalls()
    await reconcile(nth)
    await new Promise(resolve => setTimeout(resolve, 50))
    const asked = requests
      .entries()
      .filter(({ verb, resource = '' }) => verb !== 'watch' && !resource.startsWith('leases.'))
    const written = asked.filter(({ verb }) => verb !== 'get' && verb !== 'list')
    const own = `${kinds[kind].resource.plural}.`
    const others = written.filter(({ resource = '' }) => !resource.startsWith(own))
    if (others.length > 0)
      throw new Error(
        `${others.length} writes although nothing differs: ${others.map(({ verb, resource }) => `${verb} ${resource}`).join(', ')}`,
      )
    // One of them requested the reconcile.
    counts.push(asked.length - 1 + world.providerCalls() - calls)
    writes.push(written.length - 1)
  }
  const after = await usage()
  return {
    requests: percentile(counts, 0.5),
    writes: percentile(writes, 0.5),
    cpuMs: before && after && (after.cpuMs - before.cpuMs) / reconciles,
  }
}
