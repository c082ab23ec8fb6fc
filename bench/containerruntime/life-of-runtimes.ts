import { missingBundle } from '../bundle.ts'
import { type Benchmark, below, type Figure, percentile } from '../figure.ts'
import { goRuntimes } from '../measured-elsewhere.ts'
import { bundle, startRuntimeWorld } from './runtime-world.ts'

const rounds = 11

/** From gardenlet's request to its end. What fails once ends the benchmark, so that all is one attempt. */
export const lifeOfRuntimes: Benchmark = {
  name: 'containerruntime-life',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'new ContainerRuntime: annotation → Succeeded', missing }]
    const world = await startRuntimeWorld()
    const created: number[] = []
    const deleted: number[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        const namespace = `shoot--bench--round-${round}`
        const asked = await world.create(namespace)
        created.push((await world.moment('a runtime', () => world.isReady(namespace))) - asked)
        // What the resource manager still does is no part of the rest.
        await new Promise(resolve => setTimeout(resolve, 500))
        const removed = performance.now()
        await world.remove(namespace)
        deleted.push((await world.moment('its end', () => world.isGone(namespace))) - removed)
      }
    } finally {
      await world.close()
    }
    return [
      figure('new ContainerRuntime of gVisor: annotation → Succeeded', created, 55),
      figure('ContainerRuntime of gVisor: deletion → gone', deleted, 4_049),
    ]
  },
}

const figure = (name: string, took: readonly number[], goMs: number): Figure => ({
  name,
  value: percentile(took, 0.5),
  unit: 'ms',
  target: below(500),
  reference: goRuntimes(goMs),
  with: `whole path with bridge and broker; a resource manager that answers at once; median of ${took.length}, longest ${Math.round(Math.max(...took))} ms`,
})
