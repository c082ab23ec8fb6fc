import { missingBundle } from '../bundle.ts'
import { type Benchmark, below, type Figure, percentile } from '../figure.ts'
import { goNetworks } from '../measured-elsewhere.ts'
import { bundle, startNetworkWorld } from './network-world.ts'

const rounds = 11
const circumstances = 'whole path with bridge and broker; a resource manager that answers at once'

/** From gardenlet's request to its end. What fails once ends the benchmark, so that all is one attempt. */
export const lifeOfNetworks: Benchmark = {
  name: 'network-life',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'new Network of Calico: annotation → Succeeded', missing }]
    const world = await startNetworkWorld()
    const created: number[] = []
    const migrated: number[] = []
    const deleted: number[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        const [stays, moves] = [`shoot--bench--round-${round}`, `shoot--bench--move-${round}`]
        for (const namespace of [stays, moves]) {
          await world.makeShoot(namespace)
          const asked = performance.now()
          await world.create(namespace)
          created.push((await world.moment('a Network', () => world.isReady(namespace))) - asked)
        }
        // What the resource manager still does is no part of the rest.
        await new Promise(resolve => setTimeout(resolve, 500))
        const removed = performance.now()
        await world.remove(stays)
        deleted.push((await world.moment('its end', () => world.isGone(stays))) - removed)
        const left = performance.now()
        await world.annotate(moves, { 'gardener.cloud/operation': 'migrate' })
        const isMigrated = () => {
          const { type, state } = world.lastOperation(moves) ?? {}
          return type === 'Migrate' && state === 'Succeeded'
        }
        migrated.push((await world.moment('its migration', isMigrated)) - left)
      }
    } finally {
      await world.close()
    }
    return [
      figure('new Network of Calico: annotation → Succeeded', created, 500, 129),
      figure('Network of Calico: deletion → gone', deleted, 1_000, 2_041),
      figure('Network of Calico: migrate → Succeeded', migrated, 1_000, 2_153),
    ]
  },
}

const figure = (name: string, took: readonly number[], mostMs: number, goMs: number): Figure => ({
  name,
  value: percentile(took, 0.5),
  unit: 'ms',
  target: below(mostMs),
  reference: goNetworks(goMs),
  with: `${circumstances}; median of ${took.length}, longest ${Math.round(Math.max(...took))} ms`,
})
