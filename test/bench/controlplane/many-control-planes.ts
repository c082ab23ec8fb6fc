import { missingBundle } from '../bundle.ts'
import { type Benchmark, below, type Figure } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { bundle, startControlPlaneWorld } from './control-plane-world.ts'
import { controlPlaneObject } from './objects.ts'

const count = 40

/** Creates many ControlPlanes at once, and measures the function's process. */
export const manyControlPlanes: Benchmark = {
  name: 'controlplane-many',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: `${count} new ControlPlanes at once`, missing }]
    const world = await startControlPlaneWorld()
    const namespaces = Array.from({ length: count }, (_, index) => `shoot--bench--many-${index}`)
    try {
      for (const namespace of namespaces) await world.makeShoot(namespace)
      const before = await world.usage()
      const tookMs = await world.create(...namespaces.map(namespace => controlPlaneObject(namespace)))
      const after = await world.usage()
      const circumstances = 'warm bundle with bridge and broker; a resource manager that answers at once'
      const figures: Figure[] = [
        {
          name: `${count} new ControlPlanes at once, one function process`,
          value: tookMs / 1000,
          unit: 's',
          target: below(20),
          reference: goExtension(67),
          with: circumstances,
        },
      ]
      if (before === undefined || after === undefined) return figures
      return [
        ...figures,
        {
          name: 'the same: processor time of the function, each',
          value: (after.cpuMs - before.cpuMs) / count,
          unit: 'ms CPU',
          reference: goExtension(33_300 / count),
          with: 'three RSA keys of 3072 bits are most of it, here and there',
        },
        {
          name: 'the same: highest resident memory of the function',
          value: after.peakMb,
          unit: 'MB',
          target: below(200),
          reference: goExtension(112),
        },
      ]
    } finally {
      await world.close()
    }
  },
}
