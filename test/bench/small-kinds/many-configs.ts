import { missingBundle } from '../bundle.ts'
import { type Benchmark, below } from '../figure.ts'
import { bundleOf, startKindWorld } from './kind-world.ts'

const name = 'gardenlinux-operatingsystemconfig'
const many = 200

/** Reconciles many configs at once, as in a maintenance window, through one process, including its start. */
export const manyConfigs: Benchmark = {
  name: 'small-many-configs',
  run: async () => {
    const what = `${many} new OperatingSystemConfigs at once, one function process`
    const missing = await missingBundle([bundleOf(name)])
    if (missing !== undefined) return [{ name: what, missing }]
    const world = await startKindWorld(name, ['operatingsystemconfig/gardenlinux.yaml'])
    try {
      const { sample } = world
      const configs = Array.from({ length: many }, (_, index) => ({
        ...sample,
        metadata: { ...sample.metadata, name: `pool-${index}-init` },
      }))
      const seconds = (await world.create(...configs)) / 1000
      if (world.processes.length !== 1)
        throw new Error(`${world.processes.length} function processes ran, not one`)
      const usage = await world.usage()
      return [
        {
          name: what,
          value: seconds,
          unit: 's',
          target: below(4),
          with: 'bundle with bridge and broker, its start included',
        },
        ...(usage
          ? [{ name: `${what}: highest resident memory`, value: usage.peakMb, unit: 'MB' as const }]
          : []),
      ]
    } finally {
      await world.close()
    }
  },
}
