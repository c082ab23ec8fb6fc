import { percentile } from '../figure.ts'
import { burstUsage } from '../memory/burst-usage.ts'
import { serviceOf } from '../memory/service-of.ts'
import { startWorld } from '../start/start-world.ts'
import type { StartedKind } from '../start/started-kinds.ts'

/** One way to build or start the same function. */
export interface Variant {
  readonly name: string
  /** The file of its program. */
  readonly bundle: string
  readonly env?: Readonly<Record<string, string>>
}

/** Medians of several runs. Sizes in MB (10^6 bytes), times in ms. */
export interface VariantUsage {
  readonly startMs: number
  /** CPU time of the main thread from the start to the first answer. */
  readonly startCpuMs: number
  readonly atRestMb: number
  readonly afterEventsMb: number
  readonly cpuMsPerEvent: number
}

export interface VariantOptions {
  /** The name of the function's Service, whose environment each process gets. */
  readonly service: string
  readonly kind: Omit<StartedKind, 'bundle'>
  readonly starts: number
  readonly bursts: number
}

/**
 * Measures the variants in turn, so that other load on the machine affects all equally. The first start of each is a
 * warm-up.
 */
export const measureVariants = async (
  variants: readonly Variant[],
  { service, kind, starts, bursts }: VariantOptions,
): Promise<ReadonlyMap<string, VariantUsage>> => {
  const manifest = await serviceOf(service)
  const measured = await Promise.all(
    variants.map(async ({ name, bundle, env = {} }) => ({
      name,
      env,
      world: await startWorld({ ...kind, bundle }),
      runs: [] as Partial<VariantUsage>[],
    })),
  )
  try {
    for (let run = 0; run <= starts; run++) {
      for (const { env, world, runs } of measured) {
        const { message, checkSucceeded } = await world.newObject()
        const { ms, cpuMs } = await world.startFunction(message, { env: { ...manifest.env, ...env } })
        await checkSucceeded()
        if (run > 0) runs.push({ startMs: ms, startCpuMs: cpuMs })
      }
    }
    for (let run = 0; run < bursts; run++) {
      for (const { env, world, runs } of measured) {
        const usage = await burstUsage(world, { service, env, kinds: [{ of: kind, path: '/' }] })
        const { atRest, after, cpuMsPerEvent, unfinished } = usage
        if (unfinished[0] !== undefined) throw new Error(unfinished[0])
        runs.push({ atRestMb: atRest.residentMb, afterEventsMb: after.residentMb, cpuMsPerEvent })
      }
    }
  } finally {
    for (const { world } of measured) await world.close()
  }
  return new Map(
    measured.map(({ name, runs }) => {
      const median = (what: keyof VariantUsage) =>
        percentile(
          runs.flatMap(one => one[what] ?? []),
          0.5,
        )
      const usage = {
        startMs: median('startMs'),
        startCpuMs: median('startCpuMs'),
        atRestMb: median('atRestMb'),
        afterEventsMb: median('afterEventsMb'),
        cpuMsPerEvent: median('cpuMsPerEvent'),
      }
      return [name, usage]
    }),
  )
}
