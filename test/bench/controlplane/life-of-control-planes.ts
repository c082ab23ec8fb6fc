import { missingBundle } from '../bundle.ts'
import { type Benchmark, below, type Figure, percentile } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { bundle, startControlPlaneWorld } from './control-plane-world.ts'
import { controlPlaneObject, name } from './objects.ts'

const rounds = 11
const circumstances = 'whole path with bridge and broker; a resource manager that answers at once'

/**
 * Measures the time from gardenlet's request to its end. One failure ends the benchmark, so that each operation is one
 * attempt.
 */
export const lifeOfControlPlanes: Benchmark = {
  name: 'controlplane-life',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'new ControlPlane: annotation → Succeeded', missing }]
    const world = await startControlPlaneWorld()
    const created: number[] = []
    const deleted: number[] = []
    try {
      for (let round = 0; round < rounds; round++) {
        const namespace = `shoot--bench--round-${round}`
        await world.makeShoot(namespace)
        created.push(await world.create(controlPlaneObject(namespace)))
        // Work that the resource manager still does is not part of the deletion.
        await new Promise(resolve => setTimeout(resolve, 500))
        deleted.push(await world.remove({ name, namespace }))
      }
    } finally {
      await world.close()
    }
    return [
      ...figures('new ControlPlane: annotation → Succeeded, in one attempt', created, 3.2, 'two attempts'),
      ...figures('ControlPlane: deletion → gone', deleted, 6.1, 'three looks, every 2 s'),
    ]
  },
}

const figures = (
  what: string,
  took: readonly number[],
  goSeconds: number,
  how: string,
): readonly Figure[] => [
  {
    name: what,
    value: percentile(took, 0.5) / 1000,
    unit: 's',
    target: below(1.5),
    reference: goExtension(goSeconds, how),
    with: `${circumstances}; median of ${took.length}`,
  },
  { name: 'the same, longest', value: Math.max(...took) / 1000, unit: 's', target: below(1.5) },
]
