import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, below, type Figure } from '../figure.ts'
import { goOperatingSystem } from '../measured-elsewhere.ts'
import { bundle, startConfigsWorld } from './configs-world.ts'

const many = 200

/** Many configs at once, as in a maintenance window: through one process, its start included. */
const manyConfigs: Benchmark = {
  name: 'osc-many',
  run: async () => {
    const what = `${many} new OperatingSystemConfigs at once, one function process`
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: what, missing }]
    const world = await startConfigsWorld()
    try {
      const began = performance.now()
      await world.create(Array.from({ length: many }, (_, index) => index))
      const seconds = (performance.now() - began) / 1000
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

/** As many configs as ten pools have, reconciled together as in a maintenance window. */
const configs = Array.from({ length: 20 }, (_, index) => index)
/** By which the code is compiled as it is when a process has been at work for some time. */
const warmUp = 10
const rounds = 10

/** Configs to which nothing is to be done. */
const unchangedConfig: Benchmark = {
  name: 'osc-unchanged',
  run: async () => {
    const what = 'unchanged OperatingSystemConfig'
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: what, missing }]
    const world = await startConfigsWorld()
    const round = async (nth: number) => {
      // Two that succeed within one second cost a write more, for they look the same.
      await new Promise(resolve => setTimeout(resolve, 1_050))
      await Promise.all(configs.map(index => world.reconcile(index, nth)))
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    try {
      await world.create(configs)
      for (let nth = 1; nth <= warmUp; nth++) await round(nth)
      const { requests } = world.seed.server
      requests.clear()
      const before = await world.usage()
      for (let nth = warmUp + 1; nth <= warmUp + rounds; nth++) await round(nth)
      const after = await world.usage()
      const asked = requests
        .entries()
        .filter(({ verb, resource = '' }) => verb !== 'watch' && !resource.startsWith('leases.'))
      const written = asked.filter(({ verb }) => verb !== 'get' && verb !== 'list')
      const others = written.filter(({ resource = '' }) => !resource.startsWith('operatingsystemconfigs.'))
      if (others.length > 0) throw new Error(`${others.length} writes although nothing differs`)
      const reconciles = configs.length * rounds
      const cpu: readonly Figure[] =
        before && after
          ? [
              {
                name: `${what}: processor time of the function`,
                value: (after.cpuMs - before.cpuMs) / reconciles,
                unit: 'ms CPU',
                target: atMost(0.5 * 12),
                reference: goOperatingSystem(12, 'os-gardenlinux'),
                with: `warm bundle with bridge and broker; ${rounds} times ${configs.length} together`,
              },
            ]
          : []
      return [
        {
          name: `${what}: requests to Kubernetes`,
          // One of them asked for the reconcile.
          value: asked.length / reconciles - 1,
          unit: 'requests',
          target: atMost(7),
          reference: goOperatingSystem(7, 'without what its cache reads'),
        },
        {
          name: `${what}: writes`,
          value: written.length / reconciles - 1,
          unit: 'requests',
          target: atMost(3),
          reference: goOperatingSystem(5, '2 of them empty'),
          with: 'the claim and the status; nothing else is written',
        },
        ...cpu,
      ]
    } finally {
      await world.close()
    }
  },
}

/** What user data of machines cost, beside the Go extension. */
export const operatingSystemConfigBenchmarks: readonly Benchmark[] = [manyConfigs, unchangedConfig]
